//! What must be true over every link: the conformance suite of [`Link`](crate::transport::Link).
//!
//! A new link gets a [`Kind`](super::kinds::Kind) that makes worlds of it, and a line below.

mod expected;
pub(super) mod messages;
mod partitions;

use super::kinds::{Kind, Seed, SharedMemory, UnixSockets};
use super::*;

/// Runs a test over all links of a kind.
fn over_usual<K: Kind>(test: impl Fn(&K)) {
    for kind in K::usual() {
        // Shown if it fails.
        println!("{kind:?}");
        test(&kind);
    }
}

/// The suite, as a module of tests over one kind of link.
macro_rules! suite {
    ($module:ident: $kind:ty) => {
        suite! {
            $module: $kind;
            each: messages:
                messages_do_not_overtake
                a_synchronous_send_waits_for_its_receive
                a_long_message_is_truncated_and_its_sender_ends
                a_flood_is_bounded_and_nothing_is_lost
                what_has_not_met_can_be_cancelled
                a_send_that_has_not_met_can_be_taken_back
                frames_that_make_no_sense_are_counted_and_ignored
                an_empty_message_is_announced_and_comes
                streams_of_collectives_arrive
                traffic_is_counted
                only_the_door_touches_memory;
            each: expected:
                messages_of_every_kind_meet_an_expected_receive
                what_is_there_at_once_or_not_is_received_whole
                an_expected_receive_keeps_its_place;
            any: messages:
                messages_arrive_whole_and_in_order
                messages_among_many_processes_arrive;
            any: partitions:
                partitions_arrive_at_their_places;
        }
    };
    (
        $module:ident: $kind:ty;
        $(each: $of:ident: $($test:ident)*;)*
        $(any: $among:ident: $($property:ident)*;)*
    ) => {
        mod $module {
            use super::*;

            $($(
                #[test]
                fn $test() {
                    over_usual::<$kind>($of::$test);
                }
            )*)*
            $($(
                #[test]
                fn $property() {
                    $among::$property::<$kind>();
                }
            )*)*
        }
    };
}

suite!(shared_memory: SharedMemory);
suite!(simulated: Seed);
suite!(sockets: UnixSockets);
