//! Files of many deals, taken apart.

use klondike_game::deal::format::Format;
use klondike_game::deal::format::file::Items;
use klondike_game::rules::Layout;

fn items(text: &str, format: Option<Format>) -> Vec<(usize, String)> {
    let layout = Layout::triangle(7).unwrap();
    Items::new(text.as_bytes(), format, &layout)
        .map(|item| item.unwrap())
        .map(|item| (item.line().unwrap(), item.text().to_owned()))
        .collect()
}

#[test]
fn a_file_of_all_kinds_is_taken_apart() {
    let plain = "stock: 2C\n\n1: AC\n2:\n3:\n4:\n5:\n6:\n7: # last\n";
    let board = "Talon: 2C\nAC\n1\n2\n3\n4\n5\n6\n";
    let text = format!(
        "# head\r\n\r\nGame: 12\r\n012\n{{\"a\": \"}}\\\"{{\",\n \"b\": [1]}}\n{board}{board}\n\
         {plain}\nsolvitaire:1\n"
    );
    let found = items(&text, None);
    let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
    let json = "{\"a\": \"}\\\"{\",\n \"b\": [1]}\n";
    let wanted = [
        "Game: 12\n",
        "012\n",
        json,
        board,
        board,
        plain,
        "solvitaire:1\n",
    ];
    assert_eq!(texts, wanted);
    let lines: Vec<usize> = found.iter().map(|&(line, _)| line).collect();
    assert_eq!(lines, [3, 4, 5, 7, 15, 24, 34]);
}

#[test]
fn what_is_no_text_ends_the_file() {
    let layout = Layout::triangle(7).unwrap();
    for (bytes, reason) in [
        (&b"\xff\xfe\x00"[..], "line 1: not a text in UTF-8"),
        (b"solvitaire:1\nab\0c\n", "line 2: not a text in UTF-8"),
        (b"", "no deal in it"),
        (b"\n# nothing\n", "no deal in it"),
    ] {
        let mut items = Items::new(bytes, None, &layout);
        let error = items.find_map(Result::err).unwrap().to_string();
        assert!(error.starts_with(reason), "{error}");
        assert!(items.next().is_none());
    }
}

/// The number of a deal on a line of its own ends a deal before it that was not finished.
#[test]
fn a_numbered_deal_ends_what_is_unfinished() {
    for unfinished in [
        "{\"tableau piles\":\n",
        "{\"tableau piles\": [[\"8H\"\n",
        "stock: 3H TD\n",
        "1: 8H\n\n",
        "Talon: 2C\nAC\n",
    ] {
        let found = items(&format!("{unfinished}klondike:5\nklondike:6\n"), None);
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, [unfinished, "klondike:5\n", "klondike:6\n"]);
    }
}

/// A bad line is one item, and the deals after it are read.
#[test]
fn the_items_after_a_bad_one_are_read() {
    let layout = Layout::triangle(7).unwrap();
    let mut long = vec![b'A'; 2_000_010];
    long.push(b'\n');
    for (bad, reason) in [
        (&b"\xff\xfe\n"[..], "line 2: not a text in UTF-8"),
        (&long, "line 2: more than a million bytes"),
    ] {
        let bytes = [b"solvitaire:1\n", bad, b"solvitaire:2\n"].concat();
        let items: Vec<_> = Items::new(bytes.as_slice(), None, &layout).collect();
        let [Ok(first), Err(error), Ok(last)] = &items[..] else {
            panic!("{items:?}");
        };
        assert_eq!((first.line(), last.line()), (Some(1), Some(3)));
        assert!(error.to_string().starts_with(reason), "{error}");
    }
}
