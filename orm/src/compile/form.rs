//! Operators that are written in a way of their own.

use wreath_codecs::Oid;
use wreath_codecs::types::Name;

use crate::compile::expression::{Piece, Reader, malformed};
use crate::compile::table::type_name;
use crate::compile::{literal, quote_qualified};
use crate::error::Result;
use crate::expr::{Binding, Frame, FrameBound, Op};

/// The mean radius of the Earth, in metres (IUGG).
const EARTH: &str = "6371008.8";

impl Reader<'_> {
    /// Renders an operator that has a form of its own.
    pub(super) fn own(&mut self, op: Op) -> Result<()> {
        match op {
            Op::Column | Op::Aliased | Op::Outer => self.column(op),
            Op::OpenRelation => self.open_relation(),
            Op::OpenAlias => self.open_alias(),
            Op::Close => self.close(),
            Op::OpenSelect => self.open_select(),
            Op::CloseSelect => self.close_select(),
            Op::Param => {
                let sql = self.numbers.param();
                self.atom(sql);
                Ok(())
            }
            Op::Number | Op::Text | Op::Raw | Op::Concat => self.constant(op),
            Op::Any => self.quantified("= ANY"),
            Op::NotAny => self.quantified("<> ALL"),
            Op::HasElement => self.swapped("= ANY"),
            Op::AllAre => self.swapped("= ALL"),
            Op::Between => {
                let (high, low) = (self.pop()?.within(Binding::Other), self.pop()?.within(Binding::Other));
                let of = self.pop()?.within(Binding::Other);
                self.push(format!("{of} BETWEEN {low} AND {high}"), Binding::Pattern);
                Ok(())
            }
            Op::Order => self.order(),
            Op::Call | Op::Function | Op::Aggregate => self.function(op),
            Op::Filter => {
                let (filter, of) = (self.pop()?.sql, self.pop()?.sql);
                self.atom(format!("{of} FILTER (WHERE {filter})"));
                Ok(())
            }
            Op::Over => self.over(),
            Op::Case => self.case(),
            Op::Cast | Op::CastNamed => self.cast(op),
            Op::Index => {
                let (at, of) = (self.pop()?.sql, self.pop()?.sql);
                self.atom(format!("({of})[{at}]"));
                Ok(())
            }
            Op::Haversine => self.haversine(),
            _ => Err(malformed()),
        }
    }

    fn constant(&mut self, op: Op) -> Result<()> {
        let word = self.word()?;
        let sql = match op {
            Op::Number => format!("'{}'", word.cast_signed()),
            Op::Text => {
                let mut sql = String::new();
                literal(&mut sql, self.name()?);
                sql
            }
            Op::Raw => self.name()?.to_owned(),
            _ => {
                let count = usize::try_from(word).map_err(|_| malformed())?;
                let pieces: Vec<_> = self.last(count)?.map(|piece| piece.within(Binding::Atom)).collect();
                format!("({})", pieces.concat())
            }
        };
        self.atom(sql);
        Ok(())
    }

    /// `a = ANY (array)`
    fn quantified(&mut self, sign: &str) -> Result<()> {
        let (list, left) = (self.pop()?.sql, self.pop()?.within(Binding::Other));
        self.push(format!("{left} {sign} ({list})"), Binding::Comparison);
        Ok(())
    }

    /// The same, of an array that is the first operand.
    fn swapped(&mut self, sign: &str) -> Result<()> {
        let (left, list) = (self.pop()?.within(Binding::Other), self.pop()?.sql);
        self.push(format!("{left} {sign} ({list})"), Binding::Comparison);
        Ok(())
    }

    fn order(&mut self) -> Result<()> {
        use crate::expr::order_bits::{DESC, NULLS_FIRST, NULLS_LAST};
        let bits = self.word()?;
        let mut sql = self.pop()?.sql;
        for (bit, words) in [(DESC, " DESC"), (NULLS_FIRST, " NULLS FIRST"), (NULLS_LAST, " NULLS LAST")] {
            if bits & bit != 0 {
                sql.push_str(words);
            }
        }
        self.atom(sql);
        Ok(())
    }

    /// `name(arguments)`
    fn function(&mut self, op: Op) -> Result<()> {
        self.words_of(if op == Op::Function { 2 } else { 1 })?;
        let arguments = self.number()?;
        let mut sql = String::new();
        if op == Op::Function {
            let (schema, name) = (self.name()?, self.name()?);
            quote_qualified(&mut sql, schema, name);
        } else {
            sql.push_str(self.name()?);
        }
        sql.push('(');
        if op == Op::Aggregate {
            self.not_in_a_filter("an aggregate")?;
            let (orders, distinct) = (self.number()?, self.word()? != 0);
            let orders = self.list(orders)?;
            if distinct {
                sql.push_str("DISTINCT ");
            }
            sql.push_str(&if arguments == 0 { "*".into() } else { self.list(arguments)? });
            if !orders.is_empty() {
                sql.push_str(" ORDER BY ");
                sql.push_str(&orders);
            }
        } else {
            sql.push_str(&self.list(arguments)?);
        }
        self.atom(sql + ")");
        Ok(())
    }

    /// `function OVER (PARTITION BY ... ORDER BY ... ROWS ...)`
    fn over(&mut self) -> Result<()> {
        self.not_in_a_filter("a window")?;
        let (partitions, orders, frame) = (self.number()?, self.number()?, self.word()?);
        let frame = match Frame::of(frame) {
            None => None,
            Some((keyword, from, to)) => {
                let mut offset = |kind| FrameBound::counts(kind).then(|| self.pop()).transpose();
                // The last operand is the one of the second bound.
                let (until, since) = (offset(to)?, offset(from)?);
                let sql = |kind, piece: Option<Piece>| {
                    FrameBound::sql(kind, || piece.map(|piece| piece.sql).unwrap_or_default())
                };
                Some(format!("{keyword} BETWEEN {} AND {}", sql(from, since), sql(to, until)))
            }
        };
        let orders = self.list(orders)?;
        let partitions = self.list(partitions)?;
        let function = self.pop()?.sql;
        let clause = |keyword: &str, list: String| (!list.is_empty()).then(|| format!("{keyword} {list}"));
        let clauses = [clause("PARTITION BY", partitions), clause("ORDER BY", orders), frame];
        let clauses: Vec<_> = clauses.into_iter().flatten().collect();
        self.atom(format!("{function} OVER ({})", clauses.join(" ")));
        Ok(())
    }

    fn case(&mut self) -> Result<()> {
        let (branches, otherwise) = (self.number()?, self.word()? != 0);
        let otherwise = if otherwise { format!(" ELSE {}", self.pop()?.sql) } else { String::new() };
        let pieces: Vec<_> = self.last(branches * 2)?.map(|piece| piece.sql).collect();
        let branches: String =
            pieces.chunks_exact(2).map(|pair| format!(" WHEN {} THEN {}", pair[0], pair[1])).collect();
        self.atom(format!("CASE{branches}{otherwise} END"));
        Ok(())
    }

    fn cast(&mut self, op: Op) -> Result<()> {
        let word = self.word()?;
        let oid = if op == Op::Cast {
            Oid::Fixed(u32::try_from(word).map_err(|_| malformed())?)
        } else {
            let is_array = self.word()? != 0;
            let (schema, name) = (self.name()?, self.name()?);
            let name = Name { schema: Some(schema).filter(|schema| !schema.is_empty()), name };
            if is_array { Oid::ArrayOf(name) } else { Oid::Named(name) }
        };
        let mut sql = self.pop()?.within(Binding::Atom);
        sql.push_str("::");
        type_name(&mut sql, oid)?;
        self.atom(sql);
        Ok(())
    }

    /// The great-circle distance of a point, whose `x` is its longitude, by the haversine formula, which is
    /// exact for near points too. Rounding may take its sine beyond 1 at the antipodes.
    fn haversine(&mut self) -> Result<()> {
        let (longitude, cosine, latitude) = (self.pop()?.sql, self.pop()?.sql, self.pop()?.sql);
        let point = self.pop()?.sql;
        self.atom(format!(
            "(2 * {EARTH} * asin(sqrt(least(1, power(sin(radians(({point})[1] - {latitude}) / 2), 2) + {cosine} * \
             cos(radians(({point})[1])) * power(sin(radians(({point})[0] - {longitude}) / 2), 2)))))"
        ));
        Ok(())
    }
}
