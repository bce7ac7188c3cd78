//! `lib/libmpi.so`: one file in which linkers and the loader see different libraries.
//!
//! Linkers read the sections of a shared object. Here these are a library named `libmpi_abi.so.1` that defines
//! what the real one exports, so `-lmpi` links the standard ABI. The loader reads the segments. Here these
//! are an empty library that needs `libmpi.so.40` from the same folder: a program that needs the plain name was
//! built for Open MPI. It must not know how libraries are built or where they are put.

use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};

/// What linkers note down in a program.
const LINKED: &str = "libmpi_abi.so.1";
/// What the loader is told to load, and the name by which it knows this file.
const LOADED: &str = "libmpi.so.40";
const NAME: &str = "libmpi.so";

const FILE_HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;
const SECTION_HEADER: usize = 64;
const SYMBOL: usize = 24;
const DYNAMIC_ENTRY: usize = 16;

const ET_DYN: u16 = 3;
const EM_X86_64: u16 = 62;

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const PT_GNU_STACK: u32 = 0x6474_e551;
const READ_WRITE: u32 = 6;

const SHT_PROGBITS: u32 = 1;
const SHT_STRTAB: u32 = 3;
const SHT_DYNAMIC: u32 = 6;
const SHT_DYNSYM: u32 = 11;
const SHF_WRITE: u64 = 1;
const SHF_ALLOC: u64 = 2;
const SHF_EXECINSTR: u64 = 4;

const DT_NULL: u64 = 0;
const DT_NEEDED: u64 = 1;
const DT_HASH: u64 = 4;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_STRSZ: u64 = 10;
const DT_SYMENT: u64 = 11;
const DT_SONAME: u64 = 14;
const DT_RUNPATH: u64 = 29;

/// An exported symbol: its name, and its binding and type as in a symbol table.
struct Symbol {
    name: Vec<u8>,
    info: u8,
}

/// The file's bytes, made from those of `libmpi_abi.so.1`.
pub fn make(standard: &[u8]) -> Result<Vec<u8>> {
    let symbols = exported(standard).context("cannot read the symbols of libmpi_abi.so.1")?;
    ensure!(!symbols.is_empty(), "libmpi_abi.so.1 exports nothing");
    let mut file = Bytes(vec![0; FILE_HEADER + 3 * PROGRAM_HEADER]);
    let mut sections = Sections::new();

    // What is loaded: the file's beginning, at the same addresses as in the file.
    let mut names = Strings::default();
    let (needed, name, here) = (names.add(LOADED), names.add(NAME), names.add("$ORIGIN"));
    let dynamic = file.0.len();
    let own_symbols = dynamic + 9 * DYNAMIC_ENTRY;
    let hash = own_symbols + SYMBOL;
    for (tag, value) in [
        (DT_NEEDED, needed),
        (DT_SONAME, name),
        (DT_RUNPATH, here),
        (DT_HASH, hash),
        (DT_SYMTAB, own_symbols),
        (DT_SYMENT, SYMBOL),
        (DT_STRTAB, hash + 16),
        (DT_STRSZ, names.0.len()),
        (DT_NULL, 0),
    ] {
        file.words(&[tag, value as u64]);
    }
    // No symbol but the null symbol, which is alone in the only chain.
    file.0.extend([0; SYMBOL]);
    file.halves(&[1, 1, 0, 0]);
    file.0.extend(&names.0);
    // Where linkers think that the functions are. Nothing runs it.
    let code = file.align(16);
    file.0.extend([0xcc; 16]);
    let end = file.0.len();
    let data = SHF_ALLOC | SHF_WRITE;
    let dynamic = dynamic..own_symbols;
    // These two keep `strip` from taking the loader's part away.
    sections.add(
        ".loaded.dynamic",
        SHT_PROGBITS,
        data,
        dynamic.clone(),
        (0, 0, 0),
    );
    sections.add(".loaded", SHT_PROGBITS, data, own_symbols..code, (0, 0, 0));
    let text = sections.count();
    sections.add(
        ".text",
        SHT_PROGBITS,
        SHF_ALLOC | SHF_EXECINSTR,
        code..end,
        (0, 0, 0),
    );

    // What linkers read.
    let mut names = Strings::default();
    let soname = names.add(LINKED);
    let start = file.align(8);
    file.0.extend([0; SYMBOL]);
    for symbol in &symbols {
        file.halves(&[names.add_bytes(&symbol.name) as u32]);
        file.quarters(&[symbol.info.into(), text]);
        file.words(&[code as u64, 0]);
    }
    let end_of_symbols = file.0.len();
    file.0.extend(&names.0);
    let end_of_names = file.0.len();
    // The names are in the section after the symbols.
    let link = u32::from(sections.count()) + 1;
    sections.add(
        ".dynsym",
        SHT_DYNSYM,
        0,
        start..end_of_symbols,
        (link, 1, SYMBOL),
    );
    sections.add(
        ".dynstr",
        SHT_STRTAB,
        0,
        end_of_symbols..end_of_names,
        (0, 0, 0),
    );
    let start = file.align(8);
    file.words(&[DT_SONAME, soname as u64, DT_NULL, 0]);
    let entries = start..start + 2 * DYNAMIC_ENTRY;
    sections.add(
        ".dynamic",
        SHT_DYNAMIC,
        0,
        entries,
        (link, 0, DYNAMIC_ENTRY),
    );
    Ok(finish(file, sections, 0..end, dynamic))
}

/// Zero-terminated strings, by their offsets; the first is empty.
struct Strings(Vec<u8>);

impl Default for Strings {
    fn default() -> Strings {
        Strings(vec![0])
    }
}

impl Strings {
    fn add(&mut self, string: &str) -> usize {
        self.add_bytes(string.as_bytes())
    }

    fn add_bytes(&mut self, string: &[u8]) -> usize {
        let offset = self.0.len();
        self.0.extend(string);
        self.0.push(0);
        offset
    }
}

/// Little-endian numbers, one after the other: words of 64 bits, halves of 32, quarters of 16.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn words(&mut self, words: &[u64]) {
        self.0
            .extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn halves(&mut self, halves: &[u32]) {
        self.0
            .extend(halves.iter().flat_map(|half| half.to_le_bytes()));
    }

    fn quarters(&mut self, quarters: &[u16]) {
        self.0
            .extend(quarters.iter().flat_map(|quarter| quarter.to_le_bytes()));
    }

    /// Fills up to a multiple of `to`, and says where that is.
    fn align(&mut self, to: usize) -> usize {
        let length = self.0.len().next_multiple_of(to);
        self.0.resize(length, 0);
        length
    }
}

/// The headers of sections; section 0 is none.
struct Sections {
    headers: Bytes,
    names: Strings,
}

impl Sections {
    fn new() -> Sections {
        Sections {
            headers: Bytes(vec![0; SECTION_HEADER]),
            names: Strings::default(),
        }
    }

    /// Names a part of the file; the last argument is the section it refers to, its info, and its entries' size.
    fn add(
        &mut self,
        name: &str,
        kind: u32,
        flags: u64,
        part: Range<usize>,
        (link, info, entry): (u32, u32, usize),
    ) {
        // What is not loaded has no address.
        let address = if flags & SHF_ALLOC != 0 {
            part.start
        } else {
            0
        };
        self.headers.halves(&[self.names.add(name) as u32, kind]);
        self.headers
            .words(&[flags, address as u64, part.start as u64, part.len() as u64]);
        self.headers.halves(&[link, info]);
        self.headers.words(&[8, entry as u64]);
    }

    fn count(&self) -> u16 {
        (self.headers.0.len() / SECTION_HEADER) as u16
    }
}

/// Adds the headers of sections to the file, and at its beginning those of the file and of what is loaded.
fn finish(
    mut file: Bytes,
    mut sections: Sections,
    loaded: Range<usize>,
    dynamic: Range<usize>,
) -> Vec<u8> {
    let name = ".shstrtab";
    let start = file.0.len();
    let end = start + sections.names.0.len() + name.len() + 1;
    sections.add(name, SHT_STRTAB, 0, start..end, (0, 0, 0));
    file.0.extend(&sections.names.0);
    let place = file.align(8);
    file.0.extend(&sections.headers.0);

    let mut headers = Bytes::default();
    // 64 bits, little-endian, version 1.
    headers.0.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    headers.quarters(&[ET_DYN, EM_X86_64]);
    headers.halves(&[1]);
    headers.words(&[0, FILE_HEADER as u64, place as u64]);
    headers.halves(&[0]);
    let count = sections.count();
    headers.quarters(&[FILE_HEADER as u16, PROGRAM_HEADER as u16, 3]);
    headers.quarters(&[SECTION_HEADER as u16, count, count - 1]);
    for (kind, part, align) in [
        (PT_LOAD, loaded, 4096),
        (PT_DYNAMIC, dynamic, 8),
        (PT_GNU_STACK, 0..0, 16),
    ] {
        headers.halves(&[kind, READ_WRITE]);
        let (start, length) = (part.start as u64, part.len() as u64);
        headers.words(&[start, start, start, length, length, align]);
    }
    file.0[..headers.0.len()].copy_from_slice(&headers.0);
    file.0
}

/// What a library exports.
fn exported(library: &[u8]) -> Result<Vec<Symbol>> {
    let at = Reader(library);
    let (sections, count) = (at.word(0x28)?, at.quarter(0x3c)?);
    let section = |i: usize| sections + i * SECTION_HEADER;
    for i in 0..count {
        if at.half(section(i) + 4)? as u32 != SHT_DYNSYM {
            continue;
        }
        let (start, length) = (at.word(section(i) + 0x18)?, at.word(section(i) + 0x20)?);
        let names = at.word(section(at.half(section(i) + 0x28)?) + 0x18)?;
        let mut symbols = Vec::new();
        for symbol in (start..start + length).step_by(SYMBOL) {
            let info = at.bytes::<1>(symbol + 4)?[0];
            let (is_defined, is_local) = (at.quarter(symbol + 6)? != 0, info >> 4 == 0);
            if is_defined && !is_local {
                let name = library.get(names + at.half(symbol)?..).unwrap_or_default();
                let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
                symbols.push(Symbol {
                    name: name.to_vec(),
                    info,
                });
            }
        }
        return Ok(symbols);
    }
    bail!("it has no table of dynamic symbols")
}

/// Such numbers at offsets.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&self, offset: usize) -> Result<[u8; N]> {
        let bytes = self.0.get(offset..).and_then(|rest| rest.first_chunk());
        bytes
            .copied()
            .with_context(|| format!("it ends before byte {}", offset + N))
    }

    fn quarter(&self, offset: usize) -> Result<usize> {
        Ok(u16::from_le_bytes(self.bytes(offset)?).into())
    }

    fn half(&self, offset: usize) -> Result<usize> {
        Ok(u32::from_le_bytes(self.bytes(offset)?) as usize)
    }

    fn word(&self, offset: usize) -> Result<usize> {
        Ok(u64::from_le_bytes(self.bytes(offset)?) as usize)
    }
}
