use leptos::prelude::*;

use super::shortened::Shortened;
use crate::components::words::size;

/// Bytes of what is not text that a page shows.
const MOST: usize = 4 * 1024;
const ON_A_LINE: usize = 16;

/// Bytes that are not text, as numbers: offset, sixteen bytes, and those of them that are letters.
pub(super) fn lines(bytes: &[u8]) -> Shortened {
    let shown = &bytes[..bytes.len().min(MOST)];
    let lines = shown.chunks(ON_A_LINE).enumerate().map(|(at, chunk)| line(at * ON_A_LINE, chunk).into_any()).collect();
    let left_out = (shown.len() < bytes.len()).then(|| {
        let all = size(i64::try_from(bytes.len()).unwrap_or(i64::MAX));
        format!("This is not text. The first {} of {all} are shown.", size(MOST as i64))
    });
    Shortened { lines, left_out }
}

fn line(offset: usize, chunk: &[u8]) -> String {
    let numbers: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
    let letters: String =
        chunk.iter().map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '·' }).collect();
    format!("{offset:06x}  {:<47}  {letters}", numbers.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_numbers_with_their_letters_beside_them() {
        let shown = line(16, b"\xff\xfe\0Az \r\n");
        assert_eq!(shown, format!("000010  {:<47}  ···Az···", "ff fe 00 41 7a 20 0d 0a"));
        let lines = lines(&[0; 5_000]);
        assert_eq!(lines.lines.len(), MOST / ON_A_LINE);
        assert_eq!(
            lines.left_out.as_deref(),
            Some("This is not text. The first 4,096 bytes of 5,000 bytes are shown.")
        );
    }
}
