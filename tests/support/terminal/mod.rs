//! A terminal for the program: what is typed goes in, what it draws can be read.
//!
//! The terminal knows the few sequences that the program draws with: to move the cursor and to
//! clear. Waiting ends when the text is there; a program that hangs fails the test.

#![allow(clippy::unwrap_used)] // a terminal that cannot be made must stop the test

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::common_cli::HANGS;

pub(crate) struct Terminal {
    pub(crate) child: Child,
    input: File,
    output: Receiver<Vec<u8>>,
    /// Everything that the program sent.
    pub(crate) sent: Vec<u8>,
    screen: Vec<Vec<char>>,
    cursor: (usize, usize),
    /// Bytes of a sequence or character that is not complete.
    pending: Vec<u8>,
}

impl Terminal {
    /// Starts the program in a terminal of so many columns and rows.
    pub(crate) fn start(command: &mut Command, (columns, rows): (u16, u16)) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let end = || {
            File::options()
                .read(true)
                .write(true)
                .open(name.to_str().unwrap())
        };
        let child = command
            .stdin(end().unwrap())
            .stdout(end().unwrap())
            .spawn()
            .unwrap();
        let input = File::from(master);
        let mut master = input.try_clone().unwrap();
        let (send, output) = channel();
        std::thread::spawn(move || {
            let mut block = [0; 4096];
            // The end of what a terminal says is an error on Linux.
            while let Ok(read @ 1..) = master.read(&mut block) {
                if send.send(block[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal {
            child,
            input,
            output,
            sent: Vec::new(),
            screen: vec![vec![' '; columns.into()]; rows.into()],
            cursor: (0, 0),
            pending: Vec::new(),
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen shows this text.
    pub(crate) fn wait_for(&mut self, text: &str) {
        while !self.shown().contains(text) {
            let Ok(bytes) = self.output.recv_timeout(HANGS) else {
                self.child.kill().unwrap();
                panic!("`{text}` does not come:\n{}", self.shown());
            };
            self.take(&bytes);
        }
    }

    /// Waits for the end of the program. All that it said is in `sent` then.
    pub(crate) fn end(&mut self) -> ExitStatus {
        while let Ok(bytes) = self.output.recv_timeout(HANGS) {
            self.take(&bytes);
        }
        self.child.wait().unwrap()
    }

    /// What is on the screen, without blanks at the ends of lines.
    pub(crate) fn shown(&self) -> String {
        let line = |row: &Vec<char>| row.iter().collect::<String>().trim_end().to_owned() + "\n";
        self.screen.iter().map(line).collect()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.sent.extend_from_slice(bytes);
        let all = [std::mem::take(&mut self.pending), bytes.to_vec()].concat();
        let mut rest = &all[..];
        while let Some(length) = self.take_one(rest) {
            rest = &rest[length..];
        }
        self.pending = rest.to_vec();
    }

    /// Takes a character or sequence, and gives its length, if it is complete.
    fn take_one(&mut self, bytes: &[u8]) -> Option<usize> {
        match *bytes.first()? {
            b'\x1b' => {
                let end = bytes
                    .iter()
                    .skip(2)
                    .position(|byte| (0x40..0x7f).contains(byte))?
                    + 2;
                let words = String::from_utf8_lossy(&bytes[2..end]).into_owned();
                self.obey(bytes[end], &words);
                Some(end + 1)
            }
            b'\r' => {
                self.cursor.1 = 0;
                Some(1)
            }
            b'\n' => {
                self.cursor.0 = (self.cursor.0 + 1).min(self.screen.len() - 1);
                Some(1)
            }
            first => {
                let length = match first {
                    0xf0.. => 4,
                    0xe0.. => 3,
                    0xc0.. => 2,
                    _ => 1,
                };
                let text = std::str::from_utf8(bytes.get(..length)?).unwrap();
                let (row, column) = self.cursor;
                if let Some(cell) = self.screen[row].get_mut(column) {
                    *cell = text.chars().next().unwrap();
                }
                self.cursor.1 += 1;
                Some(length)
            }
        }
    }

    fn obey(&mut self, letter: u8, words: &str) {
        match letter {
            b'H' => {
                let mut numbers = words.split(';').map(|word| word.parse().unwrap_or(1_usize));
                let mut next = || numbers.next().unwrap_or(1) - 1;
                let (row, column) = (next(), next());
                self.cursor = (row.min(self.screen.len() - 1), column);
            }
            b'J' => self.screen.iter_mut().for_each(|row| row.fill(' ')),
            _ => {}
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed leaves no program behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
