//! jsonb. What a document contains is asked by `contains` and `contained_by`.

use crate::expr::kind::SqlJson;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Pred};
use crate::model::{Column, ColumnType, Value};

operators! {
    /// `?`: it has this key at its top, or this string, where it is an array of them.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { name: String }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const NAME: Column<Llama, String> = TABLE.col("name", |l| &l.name);
    /// let _ = NAME.has_key("a"); // `String` is not jsonb
    /// ```
    pub fn has_key(self, key: &str) -> Pred<M>
    where
        T::Base: SqlJson,
    {
        self.expr().param(&key).pred(Op::HasKey)
    }

    /// `?|`: it has one of these keys, or more. Of none, it has none.
    pub fn has_any_key<'a>(self, keys: impl IntoIterator<Item = &'a str>) -> Pred<M>
    where
        T::Base: SqlJson,
    {
        self.expr().list::<String, _>(keys).pred(Op::HasAnyKey)
    }

    /// `?&`: it has all of these keys. Of none, it has all.
    pub fn has_all_keys<'a>(self, keys: impl IntoIterator<Item = &'a str>) -> Pred<M>
    where
        T::Base: SqlJson,
    {
        self.expr().list::<String, _>(keys).pred(Op::HasAllKeys)
    }

    /// `->`: what it has under a key, as jsonb; NULL where there is nothing.
    pub fn get(self, key: &str) -> Expr<M, Option<T::Base>>
    where
        T::Base: SqlJson,
    {
        self.expr().param(&key).op(Op::Get)
    }

    /// `->>`: what it has under a key, as text: a string without its quotes.
    pub fn get_text(self, key: &str) -> Expr<M, Option<String>>
    where
        T::Base: SqlJson,
    {
        self.expr().param(&key).op(Op::GetText)
    }

    /// `->`: what stands at a place of an array, counted from 0, and from the end where negative.
    pub fn at(self, place: i32) -> Expr<M, Option<T::Base>>
    where
        T::Base: SqlJson,
    {
        self.expr().param(&place).op(Op::Get)
    }

    /// `#>`: what stands at the end of a path of keys and places, as jsonb; NULL where nothing does.
    pub fn path<'a>(self, path: impl IntoIterator<Item = &'a str>) -> Expr<M, Option<T::Base>>
    where
        T::Base: SqlJson,
    {
        self.expr().list::<String, _>(path).op(Op::Path)
    }

    /// `#>>`: what stands at the end of a path, as text.
    pub fn path_text<'a>(self, path: impl IntoIterator<Item = &'a str>) -> Expr<M, Option<String>>
    where
        T::Base: SqlJson,
    {
        self.expr().list::<String, _>(path).op(Op::PathText)
    }

    /// `@?`: a JSON path finds something in it (PostgreSQL manual, "The SQL/JSON Path Language"). One that is
    /// malformed fails the statement.
    pub fn path_exists(self, path: &str) -> Pred<M>
    where
        T::Base: SqlJson,
    {
        self.expr().param(&path).pred(Op::PathExists)
    }

    /// `@@`: the condition that a JSON path states holds of it.
    pub fn path_matches(self, path: &str) -> Pred<M>
    where
        T::Base: SqlJson,
    {
        self.expr().param(&path).pred(Op::Matches)
    }

    /// Without a key at its top, or without the strings that are this, where it is an array.
    pub fn without_key(self, key: &str) -> Expr<M, T>
    where
        T::Base: SqlJson,
    {
        let mut expr = self.expr().param(&key);
        expr.tape.cast::<String>();
        expr.op(Op::Sub)
    }

    /// `#-`: without what stands at the end of a path.
    pub fn without_path<'a>(self, path: impl IntoIterator<Item = &'a str>) -> Expr<M, T>
    where
        T::Base: SqlJson,
    {
        self.expr().list::<String, _>(path).op(Op::WithoutPath)
    }

    /// `||`: with another document's keys over its own, or its elements behind its own.
    pub fn merge(self, other: <T::Base as Value>::Arg<'_>) -> Expr<M, T>
    where
        T::Base: SqlJson,
    {
        self.expr().param(&other).op(Op::Append)
    }

    /// `object`, `array`, `string`, `number`, `boolean` or `null`.
    pub fn json_type(self) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlJson,
    {
        self.expr().call("jsonb_typeof", 1)
    }

    /// How many elements it has; anything but an array fails the statement.
    pub fn json_length(self) -> Expr<M, T::Of<i32>>
    where
        T::Base: SqlJson,
    {
        self.expr().call("jsonb_array_length", 1)
    }

    /// The elements of an array, a row each: it belongs into a projection, whose rows it multiplies.
    pub fn json_elements(self) -> Expr<M, Option<T::Base>>
    where
        T::Base: SqlJson,
    {
        self.expr().call("jsonb_array_elements", 1)
    }
}
