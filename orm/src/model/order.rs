//! The order in which tables are made and filled.

use crate::model::{Declared, Item};

/// A table, and the tables that it refers to.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) table: (Option<&'static str>, &'static str),
    pub(crate) refers_to: Vec<(Option<&'static str>, &'static str)>,
}

impl Node {
    pub(crate) fn new(
        table: (Option<&'static str>, &'static str),
        columns: &[Declared],
        items: &[Item],
    ) -> Self {
        let single = columns.iter().filter_map(|c| c.references).map(|r| (r.schema, r.table));
        let several = items.iter().filter_map(|item| match item {
            Item::ForeignKey(key) => Some((key.schema, key.table)),
            _ => None,
        });
        Self { table, refers_to: single.chain(several).collect() }
    }
}

/// The places of the nodes, each after those that it refers to. Where tables refer to each other in a
/// circle, the first comes before the one that it refers to.
pub(crate) fn by_dependency(nodes: &[Node]) -> Vec<usize> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut seen = vec![false; nodes.len()];
    for place in 0..nodes.len() {
        visit(nodes, place, &mut seen, &mut order);
    }
    order
}

fn visit(nodes: &[Node], place: usize, seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[place], true) {
        return;
    }
    for target in &nodes[place].refers_to {
        if let Some(target) = nodes.iter().position(|node| node.table == *target) {
            visit(nodes, target, seen, order);
        }
    }
    order.push(place);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(table: &'static str, refers_to: &[&'static str]) -> Node {
        Node { table: (None, table), refers_to: refers_to.iter().map(|&t| (None, t)).collect() }
    }

    #[test]
    fn what_is_referred_to_comes_first() {
        let nodes =
            [node("shearings", &["llamas"]), node("llamas", &["paddocks", "llamas"]), node("paddocks", &[])];
        assert_eq!(by_dependency(&nodes), [2, 1, 0]);
    }

    #[test]
    fn a_circle_ends() {
        let nodes = [node("a", &["b"]), node("b", &["a", "elsewhere"])];
        assert_eq!(by_dependency(&nodes), [1, 0]);
    }
}
