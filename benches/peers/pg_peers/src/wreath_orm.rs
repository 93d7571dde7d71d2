//! Ours: the ORM, through a session.

use measure::Result;
use tokio::runtime::Runtime;
use wreath_orm::codecs::types::{Numeric, TimestampTz};
use wreath_orm::driver::{Config, SslMode};
use wreath_orm::{Column, Columns, Db, Load, Model, Ref, Session, Source, Table};

use crate::data::Data;
use crate::peer::{Peer, Target, block_on, expect, one_thread};
use crate::workload::{OBJECTS, Workload};

/// `data::Item` in the driver's own exact types for time and numeric.
#[derive(Clone)]
struct Item {
    id: i64,
    name: String,
    qty: i32,
    price: Numeric,
    created_at: TimestampTz,
}

impl Item {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |i| &i.id).identity();
    const NAME: Column<Self, String> = Self::TABLE.col("name", |i| &i.name);
    const QTY: Column<Self, i32> = Self::TABLE.col("qty", |i| &i.qty);
    const PRICE: Column<Self, Numeric> = Self::TABLE.col("price", |i| &i.price);
    const CREATED_AT: Column<Self, TimestampTz> = Self::TABLE.col("created_at", |i| &i.created_at);

    fn of(item: &crate::data::Item) -> Result<Self> {
        Ok(Self {
            id: item.id,
            name: item.name.clone(),
            qty: item.qty,
            price: item.price.to_string().parse().map_err(|e| format!("{}: {e}", item.price))?,
            created_at: item
                .created_at
                .to_rfc3339()
                .parse()
                .map_err(|e| format!("{}: {e}", item.created_at))?,
        })
    }
}

impl Load<Self> for Item {
    fn load<S: Source<Self>>(s: &mut S) -> wreath_orm::Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            name: s.get(Self::NAME)?,
            qty: s.get(Self::QTY)?,
            price: s.get(Self::PRICE)?,
            created_at: s.get(Self::CREATED_AT)?,
        })
    }
}

impl Model for Item {
    const TABLE: Table<Self> = Table::new("item");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

pub struct WreathOrm {
    one: Runtime,
    db: Db,
    new_items: Vec<Item>,
    versions: [Vec<Item>; 2],
}

impl WreathOrm {
    pub fn open(target: &Target, data: &Data) -> Result<Self> {
        let one = one_thread()?;
        let config = Config::new()
            .host(&target.host)
            .port(target.port)
            .user(&target.user)
            .dbname(&target.dbname)
            .ssl_mode(SslMode::Disable);
        let connection = block_on(&one, async { Ok(config.connect().await?) })?;
        let db = Db::builder().model::<Item>().connection(connection)?;
        let items = |of: &[crate::data::Item]| of.iter().map(Item::of).collect::<Result<Vec<_>>>();
        let versions = [items(&data.versions[0])?, items(&data.versions[1])?];
        Ok(Self { one, db, new_items: items(&data.new_items)?, versions })
    }

    /// Adds the objects to a session, flushes, and reads their new ids.
    async fn insert(&self) -> Result<()> {
        let mut session = self.db.session();
        let refs: Vec<Ref<Item>> =
            self.new_items.iter().map(|item| session.add(item.clone())).collect::<wreath_orm::Result<_>>()?;
        session.flush().await?;
        expect(refs.iter().all(|&r| session[r].id > 0), true)
    }

    /// Edits the objects of a session, and flushes.
    async fn update(&self, session: &mut Session, refs: &[Ref<Item>], version: &[Item]) -> Result<()> {
        for (&r, item) in refs.iter().zip(version) {
            session.edit(r, |held| {
                held.name.clone_from(&item.name);
                held.qty = item.qty;
            })?;
        }
        Ok(session.flush().await?)
    }
}

impl Peer for WreathOrm {
    fn name(&self) -> &'static str {
        "wreath, orm"
    }

    fn method(&self, workload: Workload) -> Option<&'static str> {
        match workload {
            Workload::OrmInsert => Some("a session: add, flush"),
            Workload::OrmUpdate => Some("a session: edit, flush"),
            _ => None,
        }
    }

    fn run(&mut self, workload: Workload, operations: usize) -> Result<()> {
        block_on(&self.one, async {
            match workload {
                Workload::OrmInsert => {
                    for _ in 0..operations {
                        self.insert().await?;
                    }
                }
                _ => {
                    let mut session = self.db.session();
                    let refs = session.fetch(&Item::select().order_by(Item::ID.asc())).await?;
                    expect(refs.len(), OBJECTS)?;
                    for op in 0..operations {
                        self.update(&mut session, &refs, &self.versions[op % 2]).await?;
                    }
                }
            }
            Ok(())
        })
    }
}
