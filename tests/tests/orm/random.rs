//! Random work on a session, against a model of what it should be like after each step.

use wreath_orm::{Begun, ErrorKind, Model, Ref, Session};

use crate::Farm;
use crate::farm::Paddock;

/// A random number after the other, by the `SplitMix64` generator.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % sides as u64).expect("few sides")
    }
}

type Values = (String, Option<f64>);

/// What one object should be like.
#[derive(Clone, Debug)]
struct Object {
    r: Ref<Paddock>,
    /// What the session should hold.
    now: Values,
    /// What the database should hold, as this session's transaction sees it.
    row: Option<Values>,
    removed: bool,
}

impl Object {
    /// Whether it was removed, and there is no row any more that could come back.
    fn is_deleted(&self) -> bool {
        self.removed && self.row.is_none()
    }

    fn is_pending(&self) -> bool {
        !self.is_deleted() && (self.removed || self.row.as_ref() != Some(&self.now))
    }
}

/// What all of it should be like, and the rows that it had when each open transaction was begun.
#[derive(Default)]
struct World {
    objects: Vec<Object>,
    begun: Vec<Vec<Option<Values>>>,
    names: usize,
}

impl World {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("p{}", self.names)
    }

    fn pick(&self, dice: &mut Dice) -> Option<usize> {
        let alive: Vec<_> = (0..self.objects.len()).filter(|&i| !self.objects[i].removed).collect();
        (!alive.is_empty()).then(|| alive[dice.roll(alive.len())])
    }

    fn flushed(&mut self) {
        for object in &mut self.objects {
            object.row = (!object.removed).then(|| object.now.clone());
        }
    }

    fn rolled_back(&mut self) {
        let rows = self.begun.pop().expect("a transaction was open");
        for (i, object) in self.objects.iter_mut().enumerate() {
            object.row = rows.get(i).cloned().flatten();
        }
    }

    async fn check(&self, session: &mut Session, seed: u64, step: usize) {
        let at = format!("seed {seed}, step {step}");
        for object in &self.objects {
            match session.try_get(object.r) {
                Ok(held) => {
                    assert!(!object.is_deleted(), "{at}: {object:?} is there still");
                    assert_eq!((held.name.clone(), held.hectares), object.now, "{at}");
                }
                Err(error) => assert!(object.is_deleted(), "{at}: {error} of {object:?}"),
            }
        }
        assert_eq!(
            session.is_pending(),
            self.objects.iter().any(Object::is_pending),
            "{at}: {:?}",
            self.objects
        );
        let rows = Paddock::select().cols((Paddock::NAME, Paddock::HECTARES)).order_by(Paddock::NAME.asc());
        let found = session.fetch_values(&rows).await.expect("fetches");
        let mut expected: Vec<_> = self.objects.iter().filter_map(|object| object.row.clone()).collect();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, expected, "{at}");
    }

    /// One step that needs no transaction of its own.
    async fn step(&mut self, session: &mut Session, dice: &mut Dice) {
        match dice.roll(8) {
            0 | 1 => {
                let name = self.name();
                let r = session.add(Paddock::new(&name)).expect("is good");
                self.objects.push(Object { r, now: (name, None), row: None, removed: false });
            }
            2 | 3 => {
                let Some(i) = self.pick(dice) else { return };
                let object = &mut self.objects[i];
                // Few values, so that an edit often takes an earlier one back.
                let hectares = [None, Some(1.0), Some(2.0)][dice.roll(3)];
                session.edit(object.r, |p| p.hectares = hectares).expect("is allowed");
                object.now.1 = hectares;
                session.edit(object.r, |p| p.hectares = Some(-1.0)).expect_err("is refused");
            }
            4 => {
                let (Some(i), name) = (self.pick(dice), self.name()) else { return };
                session.edit(self.objects[i].r, |p| p.name.clone_from(&name)).expect("is allowed");
                self.objects[i].now.0 = name;
            }
            5 => {
                let Some(i) = self.pick(dice) else { return };
                session.remove(self.objects[i].r).expect("is there");
                self.objects[i].removed = true;
            }
            6 => {
                session.flush().await.expect("flushes");
                self.flushed();
            }
            _ => {
                let found = session.fetch(&Paddock::select()).await.expect("fetches");
                let there = self.objects.iter().filter(|object| object.row.is_some());
                assert_eq!(found.len(), there.clone().count());
                assert!(there.clone().all(|object| found.contains(&object.r)), "the same objects as before");
            }
        }
    }
}

impl World {
    /// A write that goes past the session's objects, outside of transactions.
    async fn sweep(&mut self, session: &mut Session, dice: &mut Dice, at: &str) {
        let edited = |object: &&Object| object.row.is_some() && object.is_pending();
        let refused = self.objects.iter().any(|object| edited(&object));
        let done = match dice.roll(4) {
            0 => {
                let bare = Paddock::select().filter(Paddock::HECTARES.is_null());
                let done = session.update(bare).set(Paddock::HECTARES, Some(3.0)).run().await;
                if done.is_ok() {
                    self.rows().filter(|row| row.1.is_none()).for_each(|row| row.1 = Some(3.0));
                }
                done
            }
            1 => {
                let large = Paddock::select().filter(Paddock::HECTARES.eq(2.0));
                let done = session.delete(large).run().await;
                if done.is_ok() {
                    let large = Some(2.0);
                    let rows = self.objects.iter_mut().map(|object| &mut object.row);
                    rows.for_each(|row| *row = row.take().filter(|row| row.1 != large));
                }
                done
            }
            2 => {
                let names = [self.name(), self.name()];
                let new = names.each_ref().map(|name| Paddock::new(name));
                let done = session.insert_many(new).run().await.expect("inserts");
                assert_eq!(done, 2, "{at}");
                return self.reload(session).await;
            }
            _ => {
                let Some(i) = self.pick(dice) else { return };
                let Object { r, row, .. } = self.objects.remove(i);
                session.expunge(r).expect("is there");
                assert!(session.try_get(r).is_err(), "{at}");
                if row.is_some() {
                    self.reload(session).await;
                }
                return;
            }
        };
        match done {
            Ok(_) => assert!(!refused, "{at}: it went past an edit"),
            Err(error) => {
                assert!(refused && error.kind() == ErrorKind::Declaration, "{at}: {error}");
                return;
            }
        }
        // What is new stays; all else is let go, and fetched as other objects.
        let (new, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut self.objects)
            .into_iter()
            .partition(|object| session.try_get(object.r).is_ok());
        assert!(new.iter().all(|object| object.row.is_none() && !object.removed), "{at}: {new:?}");
        let back = gone.len();
        self.objects = new;
        self.reload(session).await;
        assert!(self.objects.len() <= self.objects.iter().filter(|o| o.row.is_none()).count() + back, "{at}");
    }

    fn rows(&mut self) -> impl Iterator<Item = &mut Values> {
        self.objects.iter_mut().filter_map(|object| object.row.as_mut())
    }

    /// Takes in what the database has and this does not know.
    async fn reload(&mut self, session: &mut Session) {
        for r in session.fetch(&Paddock::select()).await.expect("fetches") {
            if !self.objects.iter().any(|object| object.r == r) {
                let now = (session[r].name.clone(), session[r].hectares);
                self.objects.push(Object { r, row: Some(now.clone()), now, removed: false });
            }
        }
    }
}

/// Works in a transaction, which may hold others, and ends it.
fn transaction<'a>(
    world: &'a mut World,
    session: &'a mut Session,
    dice: &'a mut Dice,
    seed: u64,
) -> std::pin::Pin<Box<dyn Future<Output = ()> + 'a>> {
    Box::pin(async move {
        let mut tx: Begun<'_> = session.begin().await.expect("begins");
        world.begun.push(world.objects.iter().map(|object| object.row.clone()).collect());
        for step in 0..dice.roll(8) {
            if world.begun.len() < 3 && dice.roll(5) == 0 {
                transaction(world, &mut tx, dice, seed).await;
            } else {
                world.step(&mut tx, dice).await;
            }
            world.check(&mut tx, seed, step).await;
        }
        match dice.roll(3) {
            0 => {
                tx.commit().await.expect("commits");
                world.flushed();
                world.begun.pop();
            }
            1 => {
                tx.rollback().await.expect("rolls back");
                world.rolled_back();
            }
            _ => {
                drop(tx);
                world.rolled_back();
            }
        }
    })
}

#[tokio::test]
async fn a_session_is_what_it_should_be_after_each_step() {
    let farm = Farm::empty().await;
    let first = std::env::var("WREATH_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in first.map_or(0..150_u64, |seed| seed..seed + 1) {
        farm.run("TRUNCATE paddocks CASCADE").await;
        let (mut world, mut dice, mut session) = (World::default(), Dice(seed), farm.db.session());
        for step in 0..30 {
            if dice.roll(6) == 0 {
                transaction(&mut world, &mut session, &mut dice, seed).await;
            } else if dice.roll(6) == 0 {
                world.sweep(&mut session, &mut dice, &format!("seed {seed}, step {step}")).await;
            } else {
                world.step(&mut session, &mut dice).await;
            }
            world.check(&mut session, seed, step).await;
        }
    }
}
