//! How two processes prove to each other that they belong to one job, before anything else that comes over a
//! connection is looked at.
//!
//! Who connects says who it is, whom it wants, and by which secret, with a number that it has drawn. Who was called draws a
//! number, too, and proves by both that it knows that secret. Then the first one does, and is told whether the connection is used.
//! Proofs are HMAC-SHA-256 (RFC 2104), so nobody learns the secret from them, and none can be used again. Messages have
//! fixed lengths. Knows no descriptor: bytes come in, bytes go out.

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

use crate::processes::Process;
use crate::sys;

/// Bytes of a secret, of a number that is drawn, and of a proof.
const WORD: usize = 32;
/// What every greeting begins with: a name, and the version of what follows.
const MAGIC: [u8; 8] = *b"anympi\x00\x02";

pub const GREETING: usize = MAGIC.len() + 2 * PROCESS + size_of::<u64>() + WORD;
pub const CHALLENGE: usize = MAGIC.len() + 2 * WORD;
pub const PROOF: usize = WORD;
const PROCESS: usize = 12;

/// What some processes know, and nobody else: those of a job, or of two jobs that have met.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; WORD]);

/// Names a secret, and tells nothing about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId(u64);

impl Secret {
    /// The secret that a text of any length stands for.
    pub fn of(text: &str) -> Secret {
        Secret(Sha256::digest(text).into())
    }

    /// One that nobody else has.
    pub fn draw() -> Secret {
        Secret(sys::random_bytes())
    }

    /// What names it.
    pub fn id(&self) -> KeyId {
        let hash = Sha256::new().chain_update(b"name").chain_update(self.0);
        let hash: [u8; WORD] = hash.finalize().into();
        let (name, _) = hash.split_first_chunk().expect("it is longer");
        KeyId(u64::from_le_bytes(*name))
    }
}

/// A number that nobody else can foresee.
pub type Drawn = [u8; WORD];

/// What is wrong with what the other side has sent. It does not belong to the job, or is no process at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It does not speak this protocol, or another version of it.
    Greeting,
    /// It wants another process than this one.
    Target(Process),
    /// It does not know the secret.
    Proof,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Wrong::Greeting => f.write_str("it does not speak this version's protocol"),
            Wrong::Target(process) => write!(f, "it is looking for {process}"),
            Wrong::Proof => f.write_str("it does not know this job's secret"),
        }
    }
}

/// Which side proves: their proofs differ, so that none can be sent back.
#[derive(Clone, Copy)]
enum Side {
    Caller = 1,
    Called = 2,
}

fn mac(secret: &Secret, side: Side, greeting: &[u8; GREETING], drawn: &Drawn) -> Hmac<Sha256> {
    let mut mac = Hmac::new_from_slice(&secret.0).expect("HMAC takes keys of any length");
    mac.update(&[side as u8]);
    mac.update(greeting);
    mac.update(drawn);
    mac
}

fn write_process(process: Process, to: &mut [u8]) {
    let [job, index] = process.to_words();
    to[..8].copy_from_slice(&job.to_le_bytes());
    to[8..].copy_from_slice(&(index as u32).to_le_bytes());
}

fn read_process(bytes: &[u8]) -> Process {
    let (job, index) = bytes.split_at(8);
    let number = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        i64::from_le_bytes(word)
    };
    Process::from_words([number(job), number(index)])
}

fn read_key(bytes: &[u8]) -> KeyId {
    let (key, _) = bytes.split_first_chunk().expect("a greeting is longer");
    KeyId(u64::from_le_bytes(*key))
}

/// The side that connects.
pub struct Caller {
    greeting: [u8; GREETING],
}

impl Caller {
    /// A process that calls another one by a secret, and has drawn this number.
    pub fn new(me: Process, target: Process, key: KeyId, drawn: &Drawn) -> Caller {
        let mut greeting = [0; GREETING];
        let (magic, rest) = greeting.split_at_mut(MAGIC.len());
        magic.copy_from_slice(&MAGIC);
        let (from, rest) = rest.split_at_mut(PROCESS);
        let (to, rest) = rest.split_at_mut(PROCESS);
        let (name, word) = rest.split_at_mut(size_of::<u64>());
        write_process(me, from);
        write_process(target, to);
        name.copy_from_slice(&key.0.to_le_bytes());
        word.copy_from_slice(drawn);
        Caller { greeting }
    }

    /// What it sends first.
    pub fn greeting(&self) -> &[u8; GREETING] {
        &self.greeting
    }

    /// Its proof, once the other side has proved itself.
    ///
    /// # Errors
    /// The other side has not.
    pub fn answer(
        &self,
        secret: &Secret,
        challenge: &[u8; CHALLENGE],
    ) -> Result<[u8; PROOF], Wrong> {
        let (magic, rest) = challenge.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(Wrong::Greeting);
        }
        let (drawn, proof) = rest.split_at(WORD);
        let drawn = drawn.try_into().expect("as long as it is");
        mac(secret, Side::Called, &self.greeting, &drawn)
            .verify_slice(proof)
            .map_err(|_| Wrong::Proof)?;
        let proof = mac(secret, Side::Caller, &self.greeting, &drawn);
        Ok(proof.finalize().into_bytes().into())
    }
}

/// The side that was called.
pub struct Called {
    greeting: [u8; GREETING],
    drawn: Drawn,
    /// Who calls, as it says.
    pub caller: Process,
    /// The secret by which it does.
    pub key: KeyId,
}

impl Called {
    /// Somebody calls this process, which has drawn this number.
    ///
    /// # Errors
    /// It does not speak this protocol, or wants another process.
    pub fn new(me: Process, greeting: &[u8; GREETING], drawn: Drawn) -> Result<Called, Wrong> {
        let (magic, rest) = greeting.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(Wrong::Greeting);
        }
        let target = read_process(&rest[PROCESS..2 * PROCESS]);
        match target == me {
            true => Ok(Called {
                greeting: *greeting,
                drawn,
                caller: read_process(&rest[..PROCESS]),
                key: read_key(&rest[2 * PROCESS..]),
            }),
            false => Err(Wrong::Target(target)),
        }
    }

    /// What it sends.
    pub fn challenge(&self, secret: &Secret) -> [u8; CHALLENGE] {
        let mut challenge = [0; CHALLENGE];
        let (magic, rest) = challenge.split_at_mut(MAGIC.len());
        let (drawn, proof) = rest.split_at_mut(WORD);
        magic.copy_from_slice(&MAGIC);
        drawn.copy_from_slice(&self.drawn);
        let mac = mac(secret, Side::Called, &self.greeting, &self.drawn);
        proof.copy_from_slice(&mac.finalize().into_bytes());
        challenge
    }

    /// Whether the caller knows the secret.
    ///
    /// # Errors
    /// It does not.
    pub fn check(&self, secret: &Secret, proof: &[u8; PROOF]) -> Result<(), Wrong> {
        mac(secret, Side::Caller, &self.greeting, &self.drawn)
            .verify_slice(proof)
            .map_err(|_| Wrong::Proof)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processes::Job;

    fn process(index: u32) -> Process {
        let job = Job::named("a job");
        Process { job, index }
    }

    #[test]
    fn who_knows_the_secret_is_let_in() {
        let secret = Secret([7; WORD]);
        let caller = Caller::new(process(3), process(5), secret.id(), &[1; WORD]);
        let called = Called::new(process(5), caller.greeting(), [2; WORD]).unwrap();
        assert_eq!((called.caller, called.key), (process(3), secret.id()));
        let proof = caller.answer(&secret, &called.challenge(&secret)).unwrap();
        assert_eq!(called.check(&secret, &proof), Ok(()));
    }

    #[test]
    fn who_does_not_is_told_apart() {
        let (secret, other) = (Secret([7; WORD]), Secret([8; WORD]));
        assert_ne!(secret.id(), other.id());
        let caller = Caller::new(process(3), process(5), secret.id(), &[1; WORD]);
        let wrong = Called::new(process(4), caller.greeting(), [2; WORD]).err();
        assert_eq!(wrong, Some(Wrong::Target(process(5))));
        let called = Called::new(process(5), caller.greeting(), [2; WORD]).unwrap();
        let challenge = called.challenge(&secret);
        assert_eq!(caller.answer(&other, &challenge), Err(Wrong::Proof));
        let proof = caller.answer(&secret, &challenge).unwrap();
        assert_eq!(called.check(&other, &proof), Err(Wrong::Proof));
        // What has been proved once proves nothing for another greeting or another number.
        let again = Called::new(process(5), caller.greeting(), [3; WORD]).unwrap();
        assert_eq!(again.check(&secret, &proof), Err(Wrong::Proof));
        // The called side's own proof is not the caller's.
        let mut mirrored = [0; PROOF];
        mirrored.copy_from_slice(&challenge[CHALLENGE - PROOF..]);
        assert_eq!(called.check(&secret, &mirrored), Err(Wrong::Proof));
        for at in 0..CHALLENGE {
            let mut broken = challenge;
            broken[at] ^= 1;
            assert!(caller.answer(&secret, &broken).is_err(), "byte {at}");
        }
        let mut noise = *caller.greeting();
        noise[0] = b'G';
        let wrong = Called::new(process(5), &noise, [2; WORD]).err();
        assert_eq!(wrong, Some(Wrong::Greeting));
    }

    use crate::garbage_tests::{cases, changed, changes};
    use proptest::prelude::*;

    /// As many bytes as there must be, whatever they are.
    fn fixed<const N: usize>(mut bytes: Vec<u8>) -> [u8; N] {
        bytes.resize(N, 0);
        bytes.try_into().unwrap()
    }

    proptest! {
        #![proptest_config(cases(4000))]
        /// Whatever is changed on the way, nobody is let in who is not.
        #[test]
        fn what_is_changed_proves_nothing(
            greeting in changes(), challenge in changes(), proof in changes(),
            mine in any::<[u8; WORD]>(), theirs in any::<[u8; WORD]>(),
        ) {
            let secret = Secret([7; WORD]);
            let caller = Caller::new(process(3), process(5), secret.id(), &mine);
            let sent: [u8; GREETING] = fixed(changed(caller.greeting().to_vec(), &greeting));
            let Ok(called) = Called::new(process(5), &sent, theirs) else { return Ok(()) };
            let right = called.challenge(&secret);
            let got: [u8; CHALLENGE] = fixed(changed(right.to_vec(), &challenge));
            let answer = caller.answer(&secret, &got);
            // It is proved to those only who have heard what was said.
            prop_assert_eq!(answer.is_ok(), sent == *caller.greeting() && got == right);
            let Ok(answer) = answer else { return Ok(()) };
            let said: [u8; PROOF] = fixed(changed(answer.to_vec(), &proof));
            prop_assert_eq!(called.check(&secret, &said).is_ok(), said == answer);
        }
    }
}
