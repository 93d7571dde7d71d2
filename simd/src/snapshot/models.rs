//! Publishing against reading, through every order: see `queue/models.rs`.

use std::sync::Arc;

use loom::thread;

use super::publish::Published;

#[test]
fn readers_see_whole_values_and_the_newest_one_published_before() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.max_branches = 20_000;
    builder.check(|| {
        let shared = Arc::new(Published::new(Box::new(0)));
        let reader = {
            let shared = shared.clone();
            thread::spawn(move || {
                let first = shared.read(|value| **value);
                let second = shared.read(|value| **value);
                assert!(first <= second);
            })
        };
        // More publications than seats, so that each is used again.
        for number in 1..=4 {
            shared.publish(|old| {
                assert_eq!(**old, number - 1);
                Box::new(number)
            });
        }
        assert_eq!(shared.read(|value| **value), 4);
        reader.join().unwrap();
    });
}
