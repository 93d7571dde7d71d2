//! Writing what is pending.

use wreath_orm::{ErrorKind, Model};

use crate::Farm;
use crate::farm::{Llama, Paddock, Shearing};

#[tokio::test]
async fn placeholders_become_keys() {
    let farm = Farm::empty().await;
    let mut session = farm.db.session();
    let one = session.add(Paddock::new("one")).expect("is good");
    let two = session.add(Paddock::new("two")).expect("is good");
    assert_ne!(one, two, "two objects, although both have the key 0");
    assert_eq!(session.get::<Paddock>(0).await.expect("asks"), None, "a placeholder is no key");
    farm.sent();
    session.flush().await.expect("flushes");
    assert_eq!(farm.sent().len(), 1, "one statement for both");
    assert_eq!((session[one].id, session[two].id), (1, 2));
    let (found, flights) = farm.flights(session.get::<Paddock>(2)).await;
    assert_eq!((found.expect("gets"), flights), (Some(two), 0), "it is in the identity map now");
    assert_eq!(farm.text("SELECT string_agg(name, ',' ORDER BY id) FROM paddocks").await, "one,two");
}

#[tokio::test]
async fn what_the_server_makes_is_never_sent() {
    let farm = Farm::empty().await;
    let mut session = farm.db.session();
    let paddock = session.add(Paddock { id: 77, ..Paddock::new("x") }).expect("is good");
    session.flush().await.expect("flushes");
    assert_eq!(session[paddock].id, 1);
    // A default is the server's business only where the column is left out.
    let llama = session.add(Llama::new("Zero", 0)).expect("is good");
    session.flush().await.expect("flushes");
    assert_eq!((session[llama].age, session[llama].id), (0, 1));
}

#[tokio::test]
async fn a_thousand_of_each_take_a_handful_of_flights() {
    let farm = Farm::empty().await;
    let mut session = farm.db.session();
    let herd: Vec<_> = (0..1000)
        .map(|i| {
            session.add(Llama {
                nick: (i % 3 == 0).then(|| format!("n{i}")),
                ..Llama::new(&format!("l{i}"), i % 40)
            })
        })
        .collect::<Result<_, _>>()
        .expect("all are good");
    let (done, flights) = farm.flights(session.flush()).await;
    done.expect("flushes");
    assert_eq!(flights, 2, "begin and insert, and commit");
    for (i, &llama) in herd.iter().enumerate() {
        assert_eq!(
            (session[llama].id, session[llama].name.as_str()),
            (i64::try_from(i).expect("few") + 1, format!("l{i}").as_str())
        );
    }

    for &llama in &herd {
        session.edit(llama, |l| l.friendly = !l.friendly).expect("is allowed");
    }
    let (done, flights) = farm.flights(session.flush()).await;
    done.expect("flushes");
    assert_eq!(flights, 2);
    assert_eq!(farm.text("SELECT count(*)::text FROM llamas WHERE friendly = (age <= 3)").await, "1000");

    for &llama in &herd {
        session.remove(llama).expect("is there");
    }
    let (done, flights) = farm.flights(session.flush()).await;
    done.expect("flushes");
    assert_eq!(flights, 2);
    assert_eq!(farm.text("SELECT count(*)::text FROM llamas").await, "0");
    assert_eq!(session.try_get(herd[0]).expect_err("deleted").kind(), ErrorKind::StaleRef);
    assert_eq!(session.get::<Llama>(1).await.expect("asks"), None);
}

#[tokio::test]
async fn tables_are_written_in_the_order_of_their_keys() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    // Added in the wrong order: the shearing first, its llama's paddock last.
    let llama = session.require::<Llama>(1).await.expect("exists");
    let shearing = session.add(Shearing::new(1, 9999, 7)).expect("is good");
    session.add(Llama { paddock_id: Some(2), ..Llama::new("Nena", 3) }).expect("is good");
    let paddock = session.add(Paddock::new("Meadow")).expect("is good");
    session.edit(llama, |l| (l.age, l.paddock_id) = (10, None)).expect("is allowed");
    farm.sent();
    session.flush().await.expect("flushes");
    let verbs: Vec<_> = farm.sent().iter().map(|sql| sql.split('"').take(2).collect::<String>()).collect();
    assert_eq!(
        verbs,
        ["INSERT INTO paddocks", "INSERT INTO llamas", "INSERT INTO shearings", "UPDATE llamas"]
    );

    session.remove(paddock).expect("is there");
    session.remove(llama).expect("is there");
    session.remove(shearing).expect("is there");
    session.flush().await.expect("flushes");
    let verbs: Vec<_> = farm.sent().iter().map(|sql| sql.split('"').take(2).collect::<String>()).collect();
    assert_eq!(verbs, ["DELETE FROM shearings", "DELETE FROM llamas", "DELETE FROM paddocks"]);
}

#[tokio::test]
async fn an_update_sends_what_has_changed() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let all = session.fetch(&Llama::select().order_by(Llama::ID.asc())).await.expect("fetches");
    session.edit(all[0], |l| l.age = 10).expect("is allowed");
    session.edit(all[1], |l| l.age = 5).expect("is allowed");
    session.edit(all[2], |l| (l.age, l.nick) = (3, Some("Ann".into()))).expect("is allowed");
    session.edit(all[3], |l| l.age = 1).expect("changes nothing");
    farm.sent();
    session.flush().await.expect("flushes");
    let sent = farm.sent();
    assert_eq!(sent.len(), 2, "one statement for each set of columns: {sent:?}");
    assert!(sent[0].contains(r#"SET "age" = "#) && !sent[0].contains("nick"), "{sent:?}");
    assert!(sent[1].contains(r#"SET "nick" = u.c1, "age" = u.c2"#), "{sent:?}");
    assert_eq!(farm.text("SELECT string_agg(age::text, ' ' ORDER BY id) FROM llamas").await, "10 5 3 1");
    session.edit(all[2], |l| l.nick = None).expect("is allowed");
    session.flush().await.expect("flushes");
    assert_eq!(farm.text("SELECT coalesce(nick, '-') FROM llamas WHERE id = 3").await, "-");
}

#[tokio::test]
async fn a_changed_key_moves_the_object() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let bo = session.require::<Llama>(4).await.expect("exists");
    session.edit(bo, |l| l.id = 400).expect("is allowed");
    session.flush().await.expect("flushes");
    assert_eq!(farm.text("SELECT id::text FROM llamas WHERE name = 'Bo'").await, "400");
    assert_eq!(session.get::<Llama>(400).await.expect("gets"), Some(bo));
    assert_eq!(session.get::<Llama>(4).await.expect("asks"), None);
}

#[tokio::test]
async fn a_row_that_is_gone_is_stale() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let all = session.fetch(&Llama::select().order_by(Llama::ID.asc())).await.expect("fetches");
    farm.run("DELETE FROM llamas WHERE id = 4").await;
    session.edit(all[1], |l| l.age = 5).expect("is allowed");
    session.edit(all[3], |l| l.age = 2).expect("is allowed");
    let error = session.flush().await.expect_err("Bo is gone");
    assert_eq!(error.kind(), ErrorKind::StaleData);
    assert!(error.to_string().contains("1 of 2 rows"), "{error}");
    assert_eq!(farm.text("SELECT age::text FROM llamas WHERE id = 2").await, "4", "nothing was written");
    assert!(session.is_pending());

    session.remove(all[3]).expect("is there");
    assert_eq!(session.flush().await.expect_err("still gone").kind(), ErrorKind::StaleData);
}

#[tokio::test]
async fn a_failed_flush_can_be_mended() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let tina = session.require::<Llama>(2).await.expect("exists");
    let bo = session.require::<Llama>(4).await.expect("exists");
    let doubled = session.add(Paddock::new("Hilltop")).expect("is good, as far as we know");
    session.edit(tina, |l| l.age = 5).expect("is allowed");
    session.remove(bo).expect("is there");
    let error = session.flush().await.expect_err("the name is taken");
    assert_eq!(error.kind(), ErrorKind::Database);
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("23505"));
    assert_eq!((session[doubled].id, session[tina].age), (0, 5));

    session.edit(doubled, |p| p.name = "Foothill".into()).expect("is allowed");
    session.flush().await.expect("flushes");
    assert!(session[doubled].id > 2);
    assert_eq!(farm.text("SELECT count(*)::text FROM llamas").await, "3");
    assert_eq!(farm.text("SELECT age::text FROM llamas WHERE id = 2").await, "5");
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_before_anything_is() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let error = session.add(Llama::new("a\0b", 1)).expect_err("text with a NUL");
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("name")));
    let tina = session.require::<Llama>(2).await.expect("exists");
    let error = session.edit(tina, |l| l.nick = Some("\0".into())).expect_err("text with a NUL");
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("nick")));
    assert_eq!((session[tina].nick.as_deref(), session.is_pending()), (None, false));
}

#[tokio::test]
async fn an_edit_that_changes_nothing_is_none() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let tina = session.require::<Llama>(2).await.expect("exists");
    session.edit(tina, |l| l.name = l.name.clone()).expect("is allowed");
    assert!(!session.is_pending());
    session.edit(tina, |l| l.age = 7).expect("is allowed");
    assert!(session.is_pending());
    session.edit(tina, |l| l.age = 4).expect("takes it back");
    assert!(!session.is_pending());
}

#[tokio::test]
async fn an_empty_flush_asks_nothing() {
    let farm = Farm::empty().await;
    let (done, flights) = farm.flights(farm.db.session().flush()).await;
    done.expect("nothing to do");
    assert_eq!(flights, 0);
}
