//! Files that only grow, in blocks with checksums, so that what was written stays readable
//! whatever happens to the end of the file.
//!
//! A segment is a head of 24 bytes and blocks. Each block is a mark of four bytes, the length of
//! its content, a checksum of length and content (both as four bytes, little-endian), and the
//! content. A write that was cut short, by `kill -9`, a full disk or a loss of power, leaves a
//! block whose checksum is wrong; reading goes on at the next mark whose block is whole.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// What the head of a segment says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Version of the format of the content.
    pub format: u32,
    /// Checksum of what the run is about; a segment of another run has another one.
    pub identity: u32,
    /// How often the limits had been raised when it was written.
    pub level: u32,
}

const MAGIC: [u8; 8] = *b"KLONDREC";
const HEAD_LEN: usize = 24;
const MARK: [u8; 4] = *b"\xB1ok\n";
const FRAME_LEN: usize = 12;

/// Largest content of a block; what claims more is damage.
pub const MAX_CONTENT: usize = 1 << 26;

impl Head {
    fn to_bytes(self) -> [u8; HEAD_LEN] {
        let mut bytes = [0; HEAD_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        for (i, number) in [self.format, self.identity, self.level].iter().enumerate() {
            bytes[8 + 4 * i..12 + 4 * i].copy_from_slice(&number.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes[..20]);
        bytes[20..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Head> {
        let number = |at: usize| u32_at(bytes, at);
        let whole = bytes.starts_with(&MAGIC) && number(20)? == crc32fast::hash(&bytes[..20]);
        whole.then_some(())?;
        Some(Head {
            format: number(8)?,
            identity: number(12)?,
            level: number(16)?,
        })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// A segment that is being written.
#[derive(Debug)]
pub struct Segment {
    file: File,
}

impl Segment {
    /// Starts a new segment.
    ///
    /// # Errors
    /// If there is such a file already, or it cannot be written.
    pub fn create(path: &Path, head: Head) -> io::Result<Segment> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(&head.to_bytes())?;
        sync_folder_of(path)?;
        Ok(Segment { file })
    }

    /// Adds a block; it is on the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written. Nothing may be appended after an error: part of the block may
    /// stand in the file.
    ///
    /// # Panics
    /// If `content` is longer than [`MAX_CONTENT`].
    pub fn append(&mut self, content: &[u8]) -> io::Result<()> {
        assert!(content.len() <= MAX_CONTENT, "a block that is too long");
        let length = (content.len() as u32).to_le_bytes();
        let mut block = Vec::with_capacity(FRAME_LEN + content.len());
        block.extend(MARK);
        block.extend(length);
        block.extend(checksum(length, content).to_le_bytes());
        block.extend(content);
        self.file.write_all(&block)?;
        self.file.sync_data()
    }
}

fn checksum(length: [u8; 4], content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length);
    hasher.update(content);
    hasher.finalize()
}

/// A new name in a folder survives a loss of power only if the folder is written as well.
#[cfg(unix)]
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

/// Elsewhere folders cannot be opened as files.
#[cfg(not(unix))]
pub(super) fn sync_folder_of(_: &Path) -> io::Result<()> {
    Ok(())
}

/// What was read from a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// What the head says; `None` if the file ends within it.
    pub head: Option<Head>,
    /// The contents of the blocks that are whole.
    pub blocks: Vec<Vec<u8>>,
    /// Bytes that belong to no whole block.
    pub damaged: u64,
}

/// Takes a segment apart; `None` if its head is not one.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Contents> {
    if bytes.len() < HEAD_LEN {
        // The program ended before the head was written.
        return Some(Contents {
            head: None,
            blocks: Vec::new(),
            damaged: bytes.len() as u64,
        });
    }
    let head = Head::from_bytes(bytes)?;
    let mut contents = Contents {
        head: Some(head),
        blocks: Vec::new(),
        damaged: 0,
    };
    let mut at = HEAD_LEN;
    while at < bytes.len() {
        if let Some(content) = block_at(bytes, at) {
            contents.blocks.push(content.to_vec());
            at += FRAME_LEN + content.len();
        } else {
            contents.damaged += 1;
            at += 1;
        }
    }
    Some(contents)
}

fn block_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    if !bytes[at..].starts_with(&MARK) {
        return None;
    }
    let length = u32_at(bytes, at + 4)?;
    let sum = u32_at(bytes, at + 8)?;
    let from = at + FRAME_LEN;
    let content = bytes.get(from..from.checked_add(length as usize)?)?;
    let whole = content.len() <= MAX_CONTENT && checksum(length.to_le_bytes(), content) == sum;
    whole.then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Head = Head {
        format: 1,
        identity: 77,
        level: 0,
    };

    fn block(content: &[u8]) -> Vec<u8> {
        let length = (content.len() as u32).to_le_bytes();
        let sum = checksum(length, content).to_le_bytes();
        [&MARK[..], &length, &sum, content].concat()
    }

    fn segment(contents: &[&[u8]]) -> Vec<u8> {
        let mut bytes = HEAD.to_bytes().to_vec();
        for content in contents {
            bytes.extend(block(content));
        }
        bytes
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let folder = std::env::temp_dir().join(format!("klondike-segment-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("one");
        let _ = std::fs::remove_file(&path);
        let mut file = Segment::create(&path, HEAD).unwrap();
        assert!(Segment::create(&path, HEAD).is_err());
        file.append(b"first").unwrap();
        file.append(b"").unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(bytes, segment(&[b"first", b""]));
        let contents = read(&bytes).unwrap();
        assert_eq!(contents.head, Some(HEAD));
        assert_eq!(contents.blocks, [&b"first"[..], b""]);
        assert_eq!(contents.damaged, 0);
    }

    #[test]
    fn a_torn_end_costs_the_last_block_only() {
        let whole = segment(&[b"first", b"second"]);
        let end_of_first = segment(&[b"first"]).len();
        for cut in HEAD_LEN..=whole.len() {
            let contents = read(&whole[..cut]).unwrap();
            let blocks = match cut {
                _ if cut == whole.len() => 2,
                _ if cut >= end_of_first => 1,
                _ => 0,
            };
            assert_eq!(contents.blocks.len(), blocks, "cut at {cut}");
            let good = [HEAD_LEN, end_of_first, whole.len()][blocks];
            assert_eq!(contents.damaged, (cut - good) as u64, "cut at {cut}");
        }
        for cut in 0..HEAD_LEN {
            let contents = read(&whole[..cut]).unwrap();
            assert_eq!((contents.head, contents.blocks.len()), (None, 0));
        }
    }

    #[test]
    fn a_changed_bit_costs_one_block_and_never_goes_unseen() {
        let contents: [&[u8]; 3] = [b"first", b"\xB1ok\n\xB1ok\n", b"third"];
        let whole = segment(&contents);
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let Some(read) = read(&bytes) else {
                assert!(bit < 8 * HEAD_LEN, "bit {bit}");
                continue;
            };
            assert!(bit >= 8 * HEAD_LEN, "bit {bit}");
            assert_eq!(read.blocks.len(), 2, "bit {bit}");
            assert!(read.blocks.iter().all(|b| contents.contains(&b.as_slice())));
            assert!(read.damaged > 0);
        }
    }
}
