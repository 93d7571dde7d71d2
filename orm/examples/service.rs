//! What a service does with the ORM, but for its web framework: bodies come in, are checked, written and announced.
//!
//! `DATABASE_URL=postgres://user:password@localhost/database cargo run -p wreath-orm --example service`
//!
//! It makes tables in a schema of its own, `service`, which it drops again.

#[path = "../guide/farm.rs"]
#[allow(dead_code, unreachable_pub, reason = "the guide includes it too, and uses more of it")]
mod farm;

use std::sync::{Arc, Mutex, PoisonError};

use farm::{Llama, Paddock, on_farm};
use wreath_orm::{Db, Error, Model, Patch, Ref, Result, Session};

/// The names of all llamas, as a cache that writes keep fresh.
type Names = Arc<Mutex<Vec<String>>>;

async fn load_names(db: Db, names: Names) -> Result<()> {
    let fresh = db.fetch(&Llama::select().cols(Llama::NAME).order_by(Llama::NAME.asc())).await?;
    *names.lock().unwrap_or_else(PoisonError::into_inner) = fresh;
    Ok(())
}

fn shown(names: &Names) -> String {
    names.lock().unwrap_or_else(PoisonError::into_inner).join(", ")
}

/// POST /llamas: a body becomes an object of the session, or an answer that says all that is wrong with it.
fn post(session: &mut Session, body: &str) -> Option<Ref<Llama>> {
    let added = Llama::from_json(body.as_bytes()).and_then(|llama| session.add(llama));
    added.map_err(|error| refuse(body, &error)).ok()
}

fn refuse(body: &str, error: &Error) {
    println!("422 for {body}");
    for violation in error.violations() {
        println!("    {violation}");
    }
}

async fn serve(db: Db) -> Result<()> {
    println!("== Start-up: the database has what the models declare, and a cache follows the writes");
    db.check_schema().await?;
    let names = Names::default();
    load_names(db.clone(), Arc::clone(&names)).await?;
    let watch = db.on_write::<Llama>().refresh({
        let (db, names) = (db.clone(), Arc::clone(&names));
        move || load_names(db.clone(), Arc::clone(&names))
    });
    println!("{}", shown(&names));

    println!("\n== Bodies: two are good, and one flush writes them with the paddock that is new too");
    let mut session = db.session();
    post(&mut session, r#"{"name": "", "age": -3, "horns": 2}"#);
    post(&mut session, r#"{"name": "Cria", "age": 3}"#);
    let meadow = session.add(Paddock::new("Meadow"))?;
    let mut herd = Vec::new();
    for body in [r#"{"name": "  Anna ", "age": 2}"#, r#"{"name": "Ida", "age": 1, "wool": 300}"#] {
        if let Some(llama) = post(&mut session, body) {
            session.link(llama, Llama::PADDOCK, meadow)?;
            herd.push(llama);
        }
    }
    session.flush().await?;
    for &llama in &herd {
        println!("201 {}", session[llama].to_json()?); // the hook has trimmed the name, the server has numbered it
    }
    watch.ended(1).await;
    println!("{}", shown(&names));

    println!("\n== Patches: each is taken as a whole or refused as a whole");
    for body in [r#"{"age": 40, "wool": -1}"#, r#"{"name": "Anne"}"#] {
        let patched =
            Patch::from_json::<Llama>(body.as_bytes()).and_then(|patch| session.patch(herd[0], &patch));
        if let Err(error) = patched {
            refuse(body, &error);
        }
    }
    session.remove(herd[1])?; // stays in the table, marked
    session.flush().await?;
    watch.ended(2).await;
    println!("{}", shown(&names));

    println!("\n== Shearing day: one statement for all grown llamas");
    let grown = Llama::select().filter(Llama::AGE.ge(2));
    // The server computes the values, and holds rows to the checks since `Item::Checks` asks it to.
    let shorn = db.update(grown).set_to(Llama::WOOL, Llama::WOOL + 900).unchecked();
    for (name, wool) in shorn.returning_cols((Llama::NAME, Llama::WOOL)).run().await? {
        println!("{name}: {wool} g");
    }
    watch.ended(3).await;
    let all = db.count(&Llama::unfiltered(&["deleted"])).await?;
    println!("{}; with those that are gone, {all}; {} refreshes failed", shown(&names), watch.errors());
    Ok(())
}

#[tokio::main]
async fn main() -> Result<()> {
    if std::env::var_os("DATABASE_URL").is_none() {
        println!("set DATABASE_URL: postgres://user@localhost/farm");
    }
    on_farm("service", serve).await
}
