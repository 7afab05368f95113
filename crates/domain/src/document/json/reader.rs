//! The reader: one walk over the bytes, with the open arrays and objects on a stack of its own.

use super::{Entry, MOST_VALUES, Shape};

/// Why a text is no document, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Byte offset in the text.
    pub at: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong there, to stand after "line 3, column 4: ".
    pub what: &'static str,
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value, or the end of the array that was just opened.
    FirstElement,
    /// A name, or the end of the object that was just opened.
    FirstName,
    Name,
    /// A comma or the end of what is open; nothing more where nothing is.
    After,
}

pub(super) fn read(text: &str) -> Result<Vec<Entry>, Wrong> {
    if u32::try_from(text.len()).is_err() {
        return Err(Wrong { at: 0, line: 1, column: 1, what: "longer than 4 GiB" });
    }
    let mut reader = Reader { bytes: text.as_bytes(), at: 0, entries: Vec::new(), open: Vec::new(), key: (0, 0) };
    if text.starts_with('\u{feff}') {
        reader.at = 3;
    }
    reader.document().map_err(|what| {
        let before = &text[..text.floor_char_boundary(reader.at)];
        let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let lines = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
        Wrong { at: before.len(), line: lines + 1, column: before[line_start..].chars().count() + 1, what }
    })?;
    Ok(reader.entries)
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
    entries: Vec<Entry>,
    /// Numbers of the arrays and objects that are open.
    open: Vec<u32>,
    /// The name that was read for the next value.
    key: (u32, u32),
}

type Read = Result<(), &'static str>;

#[expect(clippy::cast_possible_truncation, reason = "texts longer than u32 are refused first")]
impl Reader<'_> {
    fn document(&mut self) -> Read {
        let mut next = Next::Value;
        loop {
            self.skip_space();
            let Some(byte) = self.bytes.get(self.at).copied() else {
                return match next {
                    Next::After if self.open.is_empty() => Ok(()),
                    Next::Value if self.entries.is_empty() => Err("there is no value"),
                    _ => Err("the text ends before the value does"),
                };
            };
            next = match (next, byte) {
                (Next::FirstElement, b']') | (Next::FirstName, b'}') => self.close()?,
                (Next::FirstName | Next::Name, b'"') => self.name()?,
                (Next::FirstName, _) => return Err("a name in double quotes or } was expected"),
                (Next::Name, _) => return Err("a name in double quotes was expected"),
                (Next::Value | Next::FirstElement, _) => self.value(byte)?,
                (Next::After, _) => self.after(byte)?,
            };
        }
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn after(&mut self, byte: u8) -> Result<Next, &'static str> {
        let Some(open) = self.open.last() else { return Err("there is more after the value") };
        let in_object = self.entries[*open as usize].shape == Shape::Object;
        match (byte, in_object) {
            (b',', true) => self.step(Next::Name),
            (b',', false) => self.step(Next::Value),
            (b'}', true) | (b']', false) => self.close(),
            (_, true) => Err("a comma or } was expected"),
            (_, false) => Err("a comma or ] was expected"),
        }
    }

    fn step(&mut self, next: Next) -> Result<Next, &'static str> {
        self.at += 1;
        Ok(next)
    }

    fn name(&mut self) -> Result<Next, &'static str> {
        let start = self.at as u32;
        self.string()?;
        self.key = (start, self.at as u32);
        self.skip_space();
        match self.bytes.get(self.at) {
            Some(b':') => self.step(Next::Value),
            _ => Err("a colon was expected"),
        }
    }

    fn value(&mut self, first: u8) -> Result<Next, &'static str> {
        if self.entries.len() == MOST_VALUES {
            return Err("there are too many values to look at one by one");
        }
        let (start, number) = (self.at as u32, self.entries.len() as u32);
        let shape = match first {
            b'{' => Shape::Object,
            b'[' => Shape::Array,
            b'"' => Shape::String,
            b't' | b'f' => Shape::Bool,
            b'n' => Shape::Null,
            b'-' | b'0'..=b'9' => Shape::Number,
            _ => return Err("a value was expected"),
        };
        let parent = self.open.last().copied().unwrap_or(0);
        let key = std::mem::take(&mut self.key);
        self.entries.push(Entry { shape, start, end: start, key, parent, after: number + 1 });
        match shape {
            Shape::Object | Shape::Array => {
                self.open.push(number);
                return self.step(if shape == Shape::Object { Next::FirstName } else { Next::FirstElement });
            }
            Shape::String => self.string()?,
            Shape::Number => self.number()?,
            Shape::Bool if first == b't' => self.word(b"true")?,
            Shape::Bool => self.word(b"false")?,
            Shape::Null => self.word(b"null")?,
        }
        self.entries[number as usize].end = self.at as u32;
        Ok(Next::After)
    }

    fn close(&mut self) -> Result<Next, &'static str> {
        self.at += 1;
        if let Some(open) = self.open.pop() {
            let after = self.entries.len() as u32;
            let entry = &mut self.entries[open as usize];
            (entry.end, entry.after) = (self.at as u32, after);
        }
        Ok(Next::After)
    }

    fn word(&mut self, word: &[u8]) -> Read {
        if !self.bytes[self.at..].starts_with(word) {
            return Err("only true, false and null are words");
        }
        self.at += word.len();
        Ok(())
    }

    fn string(&mut self) -> Read {
        self.at += 1;
        loop {
            match self.bytes.get(self.at) {
                None => return Err("a string has no end"),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(0..=0x1f) => return Err("a control character stands in a string; write it as an escape"),
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Read {
        let length = match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => {
                let digits = self.bytes.get(self.at + 2..self.at + 6).unwrap_or_default();
                if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err("\\u wants four hexadecimal digits");
                }
                6
            }
            _ => return Err("this escape does not exist"),
        };
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Read {
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return Err("a digit was expected"),
        }
        if matches!(self.bytes.get(self.at), Some(b'0'..=b'9')) {
            return Err("a number begins with no further zero");
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Read {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.bytes.get(self.at) {
            self.at += 1;
        }
        if self.at == start { Err("a digit was expected") } else { Ok(()) }
    }
}
