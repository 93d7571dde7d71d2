//! A future that is dropped after any number of polls leaves its connection in step.

use std::io::SeekFrom;
use std::pin::Pin;

use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};
use wreath_driver::codecs::types::{Encoder, Oid};
use wreath_driver::{Access, Client, Connection, Encode, ErrorKind, ParamBuf, PgType, Result, Sql};

use crate::echo::Echo;
use crate::fixture::{assert_in_step, connect, database, open_transactions, polled, within};

type Verb = for<'a> fn(&'a Client, String) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// A value of the enum that the fixture makes: its number has to be looked up.
pub(crate) struct Mood(pub(crate) &'static str);

impl PgType for Mood {
    const OID: Oid = Oid::named("mood");
    const ARRAY: Oid = Oid::UNSPECIFIED;
}

impl Encode for Mood {
    fn oid(&self) -> Oid {
        Self::OID
    }

    fn encode(&self, out: &mut Encoder) -> std::result::Result<(), wreath_driver::codecs::EncodeError> {
        out.put(self.0.as_bytes());
        Ok(())
    }
}

/// Every verb, each with a text that no connection has seen.
const VERBS: &[(&str, Verb)] = &[
    ("execute", |c, x| {
        Box::pin(async move {
            let sql = format!("INSERT INTO log (word, n) VALUES ($1, $2) /*{x}*/");
            c.execute(&sql, (&*x, 1_i64)).await.map(drop)
        })
    }),
    ("fetch", |c, x| {
        Box::pin(async move {
            let sql = format!("SELECT n FROM generate_series(1, 3000) n /*{x}*/");
            let rows = c.fetch(&sql, ()).await?;
            assert_eq!(rows.len(), 3000);
            Ok(())
        })
    }),
    ("fetch_one", |c, x| {
        Box::pin(async move { c.fetch_one(&format!("SELECT 1 /*{x}*/"), ()).await.map(drop) })
    }),
    ("fetch_optional", |c, x| {
        Box::pin(
            async move { c.fetch_optional(&format!("SELECT 1 WHERE false /*{x}*/"), ()).await.map(drop) },
        )
    }),
    ("fetch_scalar", |c, x| {
        Box::pin(async move {
            let word: String = c.fetch_scalar("SELECT $1::text", (&*x,)).await?;
            assert_eq!(word, x);
            Ok(())
        })
    }),
    ("fetch_as", |c, x| {
        Box::pin(async move {
            let sql = format!("SELECT n, n + 1 FROM generate_series(1, 3) n /*{x}*/");
            let pairs: Vec<(i32, i32)> = c.fetch_as(&sql, ()).await?;
            assert_eq!(pairs, [(1, 2), (2, 3), (3, 4)]);
            Ok(())
        })
    }),
    ("batch", |c, x| {
        Box::pin(async move {
            let tags = c.batch(&format!("SELECT 1; INSERT INTO log (word) VALUES ('{x}'); SELECT 2")).await?;
            assert_eq!(tags.len(), 3);
            Ok(())
        })
    }),
    ("script", |c, x| {
        Box::pin(async move {
            let script = format!("SELECT '{x}'; INSERT INTO log (word) VALUES ('{x}'); SELECT 2");
            let results = c.script(&script).await?;
            assert_eq!((results.len(), results[0].first().unwrap().get::<&str>(0)?), (3, &*x));
            Ok(())
        })
    }),
    ("fetch_batch", |c, x| {
        Box::pin(async move {
            let sql = format!("SELECT n FROM generate_series(1, 3000) n /*{x}*/");
            assert_eq!(c.fetch_batch(&sql, ()).await?.column(0)?.values::<i32>().unwrap().len(), 3000);
            Ok(())
        })
    }),
    ("large objects", |c, x| {
        Box::pin(async move {
            let tx = c.begin().await?;
            let oid = tx.large_objects().create().await?;
            let mut object = tx.large_objects().open(oid, Access::ReadWrite).await?;
            object.write(x.as_bytes()).await?;
            object.seek(SeekFrom::Start(0)).await?;
            assert_eq!(object.read(100).await?, x.as_bytes());
            tx.rollback().await
        })
    }),
    ("a large object as a stream", |c, x| {
        Box::pin(async move {
            let tx = c.begin().await?;
            let oid = tx.large_objects().create().await?;
            let mut object = tx.large_objects().open(oid, Access::ReadWrite).await?.into_io();
            object.write_all(x.as_bytes()).await.unwrap();
            object.rewind().await.unwrap();
            let mut read = Vec::new();
            object.read_to_end(&mut read).await.unwrap();
            assert_eq!(read, x.as_bytes());
            object.shutdown().await.unwrap();
            tx.rollback().await
        })
    }),
    ("a script that copies", |c, x| {
        Box::pin(async move {
            let copied = c.batch(&format!("COPY log (word) FROM STDIN /*{x}*/")).await;
            assert!(copied.is_err());
            Ok(())
        })
    }),
    ("send", |c, x| {
        Box::pin(async move {
            let sqls = [0, 1, 2].map(|i| Sql::new(format!("SELECT {i} /*{x}*/")));
            let replies: Vec<_> = sqls.iter().map(|sql| c.send(sql, ParamBuf::new())).collect();
            for (n, reply) in (0..).zip(replies) {
                let rows = reply.await?;
                assert_eq!(rows.first().unwrap().get::<i32>(0)?, n);
            }
            Ok(())
        })
    }),
    ("pipeline", |c, x| {
        Box::pin(async move {
            let mut pipeline = c.pipeline();
            let insert = pipeline.execute("INSERT INTO log (word) VALUES ($1)", (&*x,))?;
            let count = pipeline.fetch_scalar::<i64>(format!("SELECT count(*) FROM log /*{x}*/"), ())?;
            let mood =
                pipeline.fetch_as::<(String,)>(format!("SELECT $1::mood::text /*{x}*/"), (Mood("sad"),))?;
            c.catalog().clear();
            let mut results = pipeline.run().await?;
            assert_eq!(results.take(mood)?, [("sad".to_owned(),)]);
            assert_eq!(results.take(insert)?.rows(), 1);
            assert!(results.take(count)? > 0);
            Ok(())
        })
    }),
    ("a pipeline that fails", |c, x| {
        Box::pin(async move {
            for sync_each in [false, true] {
                let mut pipeline = c.pipeline();
                let one = pipeline.fetch_scalar::<i32>(format!("SELECT 1 /*{x}*/"), ())?;
                let two = pipeline.fetch_scalar::<i32>(format!("SELECT 1 / 0 /*{x}*/"), ())?;
                let three = pipeline.fetch_scalar::<i32>(format!("SELECT 3 /*{x} {sync_each}*/"), ())?;
                let pipeline = if sync_each { pipeline.sync_each() } else { pipeline };
                let mut results = pipeline.settle().await?;
                assert_eq!(results.take(one)?, 1);
                assert_eq!(results.take(two).unwrap_err().sqlstate(), Some("22012"));
                assert_eq!(results.take(three).is_ok(), sync_each);
            }
            Ok(())
        })
    }),
    ("a pipeline of a transaction", |c, x| {
        Box::pin(async move {
            let tx = c.begin().await?;
            let mut pipeline = tx.pipeline();
            let _insert = pipeline.execute("INSERT INTO log (word) VALUES ($1)", (&*x,))?;
            let acl = "SELECT makeaclitem(10, 10, 'SELECT', false), 7";
            let text = pipeline.fetch_one(format!("{acl} /*{x}*/"), ())?;
            let mut results = pipeline.run().await?;
            assert_eq!(results.take(text)?.get::<i32>(1)?, 7);
            tx.commit().await
        })
    }),
    ("a stream of a transaction", |c, x| {
        Box::pin(async move {
            let tx = c.begin().await?;
            let mut stream = tx.stream(&format!("SELECT generate_series(1, 300) /*{x}*/"), ()).await?;
            for n in 1..=150 {
                assert_eq!(stream.next().await?.unwrap().get::<i32>(0)?, n);
            }
            drop(stream);
            let open: i64 = tx.fetch_scalar("SELECT count(*) FROM pg_cursors WHERE name <> ''", ()).await?;
            assert_eq!(open, 0);
            tx.commit().await
        })
    }),
    ("a transaction with limits", |c, x| {
        Box::pin(async move {
            let limit = std::time::Duration::from_secs(99);
            let tx = c.transaction().statement_timeout(limit).begin().await?;
            tx.execute("INSERT INTO log (word) VALUES ($1)", (&*x,)).await?;
            tx.commit().await
        })
    }),
    ("a failing statement", |c, x| {
        Box::pin(async move {
            let failed = c.execute(&format!("SELECT 1 / 0 /*{x}*/"), ()).await.unwrap_err();
            assert_eq!(failed.sqlstate(), Some("22012"), "{failed}");
            Ok(())
        })
    }),
    ("a malformed statement", |c, x| {
        Box::pin(async move {
            let failed = c.execute(&format!("SELEKT /*{x}*/"), ()).await.unwrap_err();
            assert_eq!(failed.sqlstate(), Some("42601"), "{failed}");
            Ok(())
        })
    }),
    ("a type that is looked up", |c, x| {
        Box::pin(async move {
            c.catalog().clear();
            let sql = format!("SELECT mood, $1 FROM moods /*{x}*/");
            let row = c.fetch_one(&sql, (Mood("sad"),)).await?;
            assert_eq!(row.as_row().raw(0)?, Some(&b"happy"[..]));
            assert_eq!(row.as_row().raw(1)?, Some(&b"sad"[..]));
            Ok(())
        })
    }),
    ("a type without a binary form", |c, x| {
        Box::pin(async move {
            let sql = format!("SELECT makeaclitem(10, 10, 'SELECT', false), 7 /*{x}*/");
            let row = c.fetch_one(&sql, ()).await?;
            assert_eq!(row.get::<i32>(1)?, 7);
            Ok(())
        })
    }),
    ("statements that the server has lost", |c, x| {
        Box::pin(async move {
            let sql = format!("SELECT 5 /*{x}*/");
            assert_eq!(c.fetch_scalar::<i32>(&sql, ()).await?, 5);
            c.batch("SELECT 1; DEALLOCATE ALL").await?;
            assert_eq!(c.fetch_scalar::<i32>(&sql, ()).await?, 5);
            Ok(())
        })
    }),
    ("begin", |c, x| {
        Box::pin(async move {
            let tx = c.begin().await?;
            tx.execute("INSERT INTO log (word) VALUES ($1)", (&*x,)).await?;
            drop(tx);
            Ok(())
        })
    }),
    ("commit", |c, x| {
        Box::pin(async move {
            let tx = c.begin().await?;
            tx.execute("INSERT INTO log (word) VALUES ($1)", (&*x,)).await?;
            tx.commit().await
        })
    }),
    ("rollback", |c, x| {
        Box::pin(async move {
            let tx = c.begin().await?;
            tx.execute("INSERT INTO log (word) VALUES ($1)", (&*x,)).await?;
            tx.rollback().await
        })
    }),
    ("savepoints", |c, x| {
        Box::pin(async move {
            let tx = c.begin().await?;
            let one = tx.begin().await?;
            let two = one.begin().await?;
            two.execute("INSERT INTO log (word) VALUES ($1)", (&*x,)).await?;
            two.rollback().await?;
            one.commit().await?;
            let three = tx.begin().await?;
            assert!(three.execute("SELECT 1 / 0", ()).await.is_err());
            drop(three);
            let there: i64 = tx.fetch_scalar("SELECT count(*) FROM log WHERE word = $1", (&*x,)).await?;
            assert_eq!(there, 0);
            tx.commit().await
        })
    }),
    ("transact", |c, x| {
        Box::pin(async move {
            c.transaction()
                .transact(|tx| {
                    let x = x.clone();
                    async move { tx.execute("INSERT INTO log (word) VALUES ($1)", (x,)).await.map(drop) }
                })
                .await
        })
    }),
];

#[tokio::test]
async fn every_verb_can_be_dropped_at_every_poll() {
    let db = database();
    let connection = connect(&db).await;
    for (name, verb) in VERBS {
        let mut polls = 0;
        loop {
            let word = format!("{name} {polls}");
            let ended = within(polled(polls, verb(&connection, word.clone()))).await;
            assert_in_step(&connection, &word).await;
            let times: i64 =
                connection.fetch_scalar("SELECT count(*) FROM log WHERE word = $1", (&*word,)).await.unwrap();
            assert!(times <= 1, "{word} was done {times} times");
            if let Some(result) = ended {
                result.expect(&word);
                break;
            }
            polls += 1;
            assert!(polls < 200, "{name} does not end");
        }
    }
    assert_eq!(open_transactions(&db), "0");
}

/// The same over a server whose answers arrive byte by byte, so that there is a poll for each.
#[tokio::test]
async fn every_verb_can_be_dropped_at_every_byte_of_an_answer() {
    const VERBS: &[(&str, Verb)] = &[
        ("fetch_scalar", |c, _| {
            Box::pin(async move {
                assert_eq!(c.fetch_scalar::<i64>("SELECT $1", (77_i64,)).await?, 77);
                Ok(())
            })
        }),
        ("send", |c, x| {
            Box::pin(async move {
                let (cold, warm) = (Sql::new(format!("SELECT {x}")), Sql::new("SELECT $1"));
                let first = c.send(&cold, ParamBuf::new());
                let mut params = ParamBuf::new();
                params.push(&5_i64)?;
                let second = c.send(&warm, params);
                assert_eq!(second.await?.first().unwrap().get::<i64>(0)?, 5);
                assert_eq!(first.await?.first().unwrap().get::<i64>(0)?, 0);
                Ok(())
            })
        }),
        ("error", |c, _| {
            Box::pin(async move {
                assert_eq!(c.execute("error", ()).await.unwrap_err().sqlstate(), Some("22012"));
                Ok(())
            })
        }),
        ("transaction", |c, _| {
            Box::pin(async move {
                let tx = c.begin().await?;
                let savepoint = tx.begin().await?;
                assert_eq!(savepoint.fetch_scalar::<i64>("SELECT $1", (3_i64,)).await?, 3);
                savepoint.commit().await?;
                tx.commit().await
            })
        }),
        ("rollback", |c, _| Box::pin(async move { c.begin().await?.rollback().await })),
        ("batch", |c, _| Box::pin(async move { c.batch("SELECT 1; SELECT 2").await.map(drop) })),
    ];
    let echo = Echo::start(1).await;
    let connection: Connection = echo.connect().await;
    for (name, verb) in VERBS {
        for polls in 0.. {
            let ended = within(polled(polls, verb(&connection, format!("{name} {polls}")))).await;
            for n in [91_i64, 92] {
                let got: i64 = within(connection.fetch_scalar("SELECT $1", (n,))).await.unwrap();
                assert_eq!(got, n, "{name} after {polls} polls");
            }
            if let Some(result) = ended {
                result.unwrap();
                break;
            }
        }
    }
}

/// A transaction can go while its statements, its savepoints or its own end are on their way.
#[tokio::test]
async fn a_transaction_can_be_dropped_with_anything_in_flight() {
    let db = database();
    let connection = connect(&db).await;
    for round in 0..4 {
        let tx = connection.begin().await.unwrap();
        let insert = Sql::new("INSERT INTO log (word) VALUES ('in flight')");
        let reply = (round > 0).then(|| tx.send(&insert, ParamBuf::new()));
        let savepoint = if round > 1 { Some(tx.begin().await.unwrap()) } else { None };
        if round == 3 {
            // The outer one first: the inner one has nothing left to undo.
            drop(tx);
            drop(savepoint);
        } else {
            drop(savepoint);
            drop(tx);
        }
        if let Some(reply) = reply {
            assert!(within(reply).await.is_ok(), "round {round}");
        }
        assert_in_step(&connection, &format!("round {round}")).await;
    }
    let left: i64 = connection.fetch_scalar("SELECT count(*) FROM log", ()).await.unwrap();
    assert_eq!(left, 0);
}

/// What a statement of a savepoint has failed is the savepoint's loss, however that ends.
#[tokio::test]
async fn a_savepoint_that_failed_leaves_its_transaction_sound() {
    let db = database();
    let connection = connect(&db).await;
    let insert = "INSERT INTO log (word) VALUES ($1)";
    for end in 0..3 {
        let tx = connection.begin().await.unwrap();
        tx.execute(insert, ("kept",)).await.unwrap();
        let outer = tx.begin().await.unwrap();
        outer.execute(insert, ("kept",)).await.unwrap();
        let inner = outer.begin().await.unwrap();
        inner.execute(insert, ("lost",)).await.unwrap();
        inner.execute("SELECT 1 / 0", ()).await.unwrap_err();
        match end {
            0 => drop(inner),
            1 => inner.rollback().await.unwrap(),
            _ => assert_eq!(inner.commit().await.unwrap_err().kind(), ErrorKind::RolledBack),
        }
        // While the one inside may still be on its way back.
        outer.commit().await.unwrap();
        tx.execute(insert, ("kept",)).await.unwrap();
        tx.commit().await.unwrap();
    }
    let words = db.admin().query("SELECT word, count(*)::text FROM log GROUP BY 1").unwrap();
    assert_eq!(words, [[Some("kept".to_owned()), Some("9".to_owned())]]);
}

/// A statement ran, and before its result could be read somebody opened a transaction: the look-up of its types
/// may not slip into that, and the statement may not be reported as never sent.
#[tokio::test]
async fn a_result_whose_types_cannot_be_looked_up_is_not_reported_as_unsent() {
    let db = database();
    let connection = connect(&db).await;
    let sql = Sql::new("INSERT INTO moods VALUES (7, 'sad') RETURNING mood");
    let reply = connection.send(&sql, ParamBuf::new());
    let tx = connection.begin().await.unwrap();
    let unread = within(reply).await.unwrap_err();
    assert_eq!(unread.kind(), ErrorKind::Decode, "{unread}");
    assert!(unread.to_string().contains("has run"), "{unread}");
    tx.commit().await.unwrap();
    let there: i64 = connection.fetch_scalar("SELECT count(*) FROM moods WHERE id = 7", ()).await.unwrap();
    assert_eq!(there, 1);
}
