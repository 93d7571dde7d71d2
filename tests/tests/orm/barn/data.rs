//! Small random tables, in memory and on a server.

use wreath_orm::Db;

use super::models::{Bell, Goat, Herd, Member, Stall, Visit};
use crate::Farm;
use crate::random::Dice;

/// The rows of all tables.
#[derive(Debug, Default)]
pub(crate) struct Barn {
    pub(crate) stalls: Vec<Stall>,
    pub(crate) goats: Vec<Goat>,
    pub(crate) herds: Vec<Herd>,
    pub(crate) members: Vec<Member>,
    pub(crate) visits: Vec<Visit>,
    pub(crate) bells: Vec<Bell>,
}

impl Barn {
    /// A server with the tables.
    pub(crate) async fn farm() -> Farm {
        Farm::of(
            Db::builder()
                .model::<Stall>()
                .model::<Goat>()
                .model::<Herd>()
                .model::<Member>()
                .model::<Visit>()
                .model::<Bell>(),
        )
        .await
    }

    /// A few rows of each.
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let mut barn = Self::default();
        for barn_id in 1..=2 {
            for number in 0..i32::try_from(dice.roll(3)).expect("few") {
                barn.stalls.push(Stall { barn: barn_id, number, clean: dice.roll(2) == 0 });
            }
        }
        let goats = dice.roll(9);
        let number = |n: usize| i64::try_from(n).expect("few");
        for id in 1..=number(goats) {
            let some = |n: i64, dice: &mut Dice| (dice.roll(4) > 0).then_some(n);
            let stall = barn.stalls.get(dice.roll(barn.stalls.len() + 1)).cloned();
            let mother = 1 + number(dice.roll(goats));
            barn.goats.push(Goat {
                id,
                age: i32::try_from(dice.roll(4)).expect("few"),
                barn: stall.as_ref().map(|s| s.barn),
                stall_number: stall.map(|s| s.number).filter(|_| dice.roll(4) > 0),
                mother_id: some(mother, dice).filter(|&m| m != id),
            });
        }
        for id in 1..=number(dice.roll(5)) {
            barn.herds.push(Herd { id, name: ["x", "y", "'\"$1"][dice.roll(3)].to_owned() });
        }
        for herd in &barn.herds {
            for goat in &barn.goats {
                if dice.roll(3) == 0 {
                    barn.members.push(Member { herd_id: herd.id, goat_id: goat.id });
                }
                for _ in 0..dice.roll(3) {
                    let id = number(barn.visits.len());
                    barn.visits.push(Visit { id, herd_id: herd.id, goat_id: goat.id });
                }
            }
        }
        for goat in barn.goats.iter().filter(|g| g.age > 1) {
            barn.bells.push(Bell { tone: format!("tone {}", goat.id), goat_id: Some(goat.id) });
        }
        barn.bells.push(Bell { tone: "spare".into(), goat_id: None });
        barn
    }

    /// Puts the rows into the emptied tables.
    pub(crate) async fn fill(&self, farm: &Farm) {
        farm.run("TRUNCATE stalls, \"sch\"\"ema\".goats, herds, \"mem\"\"bers\", visits, bells").await;
        let mut session = farm.db.session();
        for row in &self.stalls {
            session.add(row.clone()).expect("is good");
        }
        for row in &self.goats {
            session.add(row.clone()).expect("is good");
        }
        for row in &self.herds {
            session.add(row.clone()).expect("is good");
        }
        for row in &self.members {
            session.add(row.clone()).expect("is good");
        }
        for row in &self.visits {
            session.add(row.clone()).expect("is good");
        }
        for row in &self.bells {
            session.add(row.clone()).expect("is good");
        }
        session.flush().await.expect("flushes");
    }

    pub(crate) fn stall_of(&self, goat: &Goat) -> Option<&Stall> {
        self.stalls.iter().find(|s| goat.barn == Some(s.barn) && goat.stall_number == Some(s.number))
    }

    pub(crate) fn mother_of(&self, goat: &Goat) -> Option<&Goat> {
        self.goats.iter().find(|g| goat.mother_id == Some(g.id))
    }

    pub(crate) fn bell_of(&self, goat: &Goat) -> Option<&Bell> {
        self.bells.iter().find(|b| b.goat_id == Some(goat.id))
    }

    pub(crate) fn goats_where(&self, holds: impl Fn(&Goat) -> bool) -> Vec<Goat> {
        self.goats.iter().filter(|g| holds(g)).cloned().collect()
    }

    pub(crate) fn herds_of(&self, goat: i64) -> Vec<Herd> {
        self.herds.iter().filter(|h| self.is_member(h.id, goat)).cloned().collect()
    }

    pub(crate) fn visited_by(&self, goat: i64) -> Vec<Herd> {
        self.herds.iter().filter(|h| self.has_visited(h.id, goat)).cloned().collect()
    }

    pub(crate) fn is_member(&self, herd: i64, goat: i64) -> bool {
        self.members.iter().any(|m| (m.herd_id, m.goat_id) == (herd, goat))
    }

    pub(crate) fn has_visited(&self, herd: i64, goat: i64) -> bool {
        self.visits.iter().any(|v| (v.herd_id, v.goat_id) == (herd, goat))
    }
}
