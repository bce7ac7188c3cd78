//! Handles on performance variables (MPI-5.0, 15.3.7): each sees the part of a variable's history while it
//! was started, apart from all others.
//!
//! What grows is read as differences, so a handle can be started, stopped, written and reset without the
//! variable knowing. The one watermark is kept by the queues since somebody last asked; whoever asks hands
//! it on to every handle that runs.

use std::cell::Cell;
use std::rc::Rc;

use super::Tools;
use super::variable::{Library, Pvar, Shape};
use crate::error::Result;
use crate::fail;
use crate::types::{PvarClass, PvarHandle, PvarSession};

/// A handle on a variable within a session.
pub struct Handle {
    pub session: PvarSession,
    pub pvar: usize,
    /// What it has seen while it was started: a sum, or the watermark.
    seen: Cell<u64>,
    /// The variable's own value when it was started last; `None` while it is stopped.
    since: Cell<Option<u64>>,
}

impl Tools {
    fn pvar(&self, handle: &Handle) -> &Pvar {
        &self.pvars()[handle.pvar]
    }

    /// A stopped handle with its starting value.
    pub fn watch_pvar(
        &self,
        library: &dyn Library,
        session: PvarSession,
        pvar: usize,
    ) -> PvarHandle {
        let variable = &self.pvars()[pvar];
        let mark = variable.class == PvarClass::HIGHWATERMARK;
        let seen = if mark { variable.value(library) } else { 0 };
        self.pvar_handles.insert(Handle {
            session,
            pvar,
            seen: Cell::new(seen),
            since: Cell::new(None),
        })
    }

    /// A handle of a session.
    ///
    /// # Errors
    /// `MPI_T_ERR_INVALID_SESSION`, `MPI_T_ERR_INVALID_HANDLE`: not live, or of another session.
    pub fn pvar_handle(&self, session: PvarSession, handle: PvarHandle) -> Result<Rc<Handle>> {
        self.sessions.find(session)?;
        let found = self.pvar_handles.find(handle)?;
        if found.session != session {
            fail!(
                T_ERR_INVALID_HANDLE,
                "handle 0x{:x} belongs to another session",
                handle.0
            );
        }
        Ok(found)
    }

    /// The handles that a call means: one, or all of the session that are not continuous.
    ///
    /// # Errors
    /// As for [`pvar_handle`](Self::pvar_handle).
    pub fn pvar_handles(
        &self,
        session: PvarSession,
        handle: PvarHandle,
    ) -> Result<Vec<Rc<Handle>>> {
        if handle != PvarHandle::ALL_HANDLES {
            return self.pvar_handle(session, handle).map(|handle| vec![handle]);
        }
        self.sessions.find(session)?;
        let all = self.pvar_handles.all().into_iter();
        Ok(all
            .map(|(_, handle)| handle)
            .filter(|handle| handle.session == session && !self.pvar(handle).is_continuous())
            .collect())
    }

    /// Hands the watermark on to the handles that run.
    fn share_watermark(&self, library: &dyn Library) {
        let Some(engine) = library.runtime().engine_if_started() else {
            return;
        };
        let longest = engine.proto().take_longest();
        for (_, handle) in self.pvar_handles.all() {
            if self.pvar(&handle).class == PvarClass::HIGHWATERMARK && handle.since.get().is_some()
            {
                handle.seen.set(handle.seen.get().max(longest));
            }
        }
    }

    /// What a handle says.
    fn pvar_value(&self, library: &dyn Library, handle: &Handle) -> u64 {
        let pvar = self.pvar(handle);
        match pvar.class {
            _ if pvar.is_continuous() => pvar.value(library),
            PvarClass::HIGHWATERMARK => {
                self.share_watermark(library);
                handle.seen.get()
            }
            _ => {
                let more = handle.since.get();
                let more = more.map_or(0, |since| pvar.value(library).wrapping_sub(since));
                handle.seen.get().wrapping_add(more)
            }
        }
    }

    /// Gives a handle a value to go on from.
    fn set_pvar_value(&self, library: &dyn Library, handle: &Handle, value: u64) {
        self.share_watermark(library);
        handle.seen.set(value);
        if handle.since.get().is_some() {
            handle.since.set(Some(self.pvar(handle).value(library)));
        }
    }

    /// # Errors
    /// `MPI_T_ERR_PVAR_NO_STARTSTOP`: a variable that always runs.
    pub fn start_pvar(&self, library: &dyn Library, handle: &Handle) -> Result<()> {
        self.startable(handle)?;
        if handle.since.get().is_none() {
            self.share_watermark(library);
            let now = self.pvar(handle).value(library);
            handle.since.set(Some(now));
            if self.pvar(handle).class == PvarClass::HIGHWATERMARK {
                handle.seen.set(handle.seen.get().max(now));
            }
        }
        Ok(())
    }

    /// # Errors
    /// As for [`start_pvar`](Self::start_pvar).
    pub fn stop_pvar(&self, library: &dyn Library, handle: &Handle) -> Result<()> {
        self.startable(handle)?;
        handle.seen.set(self.pvar_value(library, handle));
        handle.since.set(None);
        Ok(())
    }

    fn startable(&self, handle: &Handle) -> Result<()> {
        let pvar = self.pvar(handle);
        if pvar.is_continuous() {
            fail!(
                T_ERR_PVAR_NO_STARTSTOP,
                "{} always runs and is neither started nor stopped",
                pvar.name
            );
        }
        Ok(())
    }

    fn writable(&self, handle: &Handle) -> Result<&Pvar> {
        let pvar = self.pvar(handle);
        if pvar.is_continuous() {
            fail!(
                T_ERR_PVAR_NO_WRITE,
                "{} says what is now and is neither written nor reset",
                pvar.name
            );
        }
        Ok(pvar)
    }

    /// The value as the caller's type has it.
    pub fn read_pvar(&self, library: &dyn Library, handle: &Handle) -> Vec<u8> {
        let value = self.pvar_value(library, handle);
        match self.pvar(handle).shape() {
            Shape::Number => value.to_ne_bytes().to_vec(),
            Shape::Seconds => (value as f64 * 1e-9).to_ne_bytes().to_vec(),
            Shape::State => (value as i32).to_ne_bytes().to_vec(),
        }
    }

    /// Takes a value in the caller's type, 8 bytes for all that can be written.
    ///
    /// # Errors
    /// `MPI_T_ERR_PVAR_NO_WRITE`.
    pub fn write_pvar(
        &self,
        library: &dyn Library,
        handle: &Handle,
        value: impl FnOnce() -> [u8; 8],
    ) -> Result<()> {
        let value = match self.writable(handle)?.shape() {
            Shape::Seconds => (f64::from_ne_bytes(value()) * 1e9) as u64,
            Shape::Number | Shape::State => u64::from_ne_bytes(value()),
        };
        self.set_pvar_value(library, handle, value);
        Ok(())
    }

    /// Back to the starting value.
    ///
    /// # Errors
    /// `MPI_T_ERR_PVAR_NO_WRITE`.
    pub fn reset_pvar(&self, library: &dyn Library, handle: &Handle) -> Result<()> {
        let pvar = self.writable(handle)?;
        let value = match pvar.class {
            PvarClass::HIGHWATERMARK => pvar.value(library),
            _ => 0,
        };
        self.set_pvar_value(library, handle, value);
        Ok(())
    }
}
