//! Every message, in both directions: what is written is read as it was, whatever is read is written as it was,
//! and nothing that arrives makes the reader panic.

use bytes::BytesMut;
use proptest::collection::vec;
use proptest::prelude::*;
use wreath_codecs::frame::backend::{self, Authentication, Column, RowDescription, TransactionStatus};
use wreath_codecs::frame::frontend::{self, Target};
use wreath_codecs::frame::startup::{self, Request, Version};
use wreath_codecs::frame::{Fault, FrameError, HEADER, Text, header};

type Encoded = Result<(), FrameError>;

fn wrote(send: impl FnOnce(&mut BytesMut) -> Encoded) -> Vec<u8> {
    let mut out = BytesMut::new();
    send(&mut out).expect("can be sent");
    out.to_vec()
}

/// Bytes with no zero among them: any text, UTF-8 or not.
fn text() -> impl Strategy<Value = Vec<u8>> {
    vec(1_u8..=255, 0..12)
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    vec(1_u8..=255, 1..12)
}

fn value() -> impl Strategy<Value = Option<Vec<u8>>> {
    proptest::option::of(vec(any::<u8>(), 0..20))
}

fn values() -> impl Strategy<Value = Vec<Option<Vec<u8>>>> {
    vec(value(), 0..8)
}

fn borrowed(values: &[Option<Vec<u8>>]) -> impl Iterator<Item = Option<&[u8]>> + Clone {
    values.iter().map(Option::as_deref)
}

/// Values as a Bind has them: each with its length before it.
fn on_the_wire(values: &[Option<Vec<u8>>]) -> Vec<u8> {
    let row = wrote(|out| backend::data_row(out, borrowed(values)));
    row[HEADER + 2..].to_vec()
}

/// No formats, one for all, or one each.
fn formats(count: usize) -> impl Strategy<Value = Vec<i16>> {
    prop_oneof![Just(vec![]), vec(any::<i16>(), 1), vec(any::<i16>(), count)]
}

fn values_and_formats() -> impl Strategy<Value = (Vec<Option<Vec<u8>>>, Vec<i16>)> {
    values().prop_flat_map(|values| {
        let count = values.len();
        (Just(values), formats(count))
    })
}

type OwnedColumn = (Vec<u8>, u32, i16, u32, i16, i32, i16);

fn column(of: &OwnedColumn) -> Column<'_> {
    let (name, table_oid, attribute, type_oid, type_size, type_modifier, format) = of;
    Column {
        name: Text::from(&name[..]),
        table_oid: *table_oid,
        attribute: *attribute,
        type_oid: *type_oid,
        type_size: *type_size,
        type_modifier: *type_modifier,
        format: *format,
    }
}

fn columns() -> impl Strategy<Value = Vec<OwnedColumn>> {
    vec((text(), any::<u32>(), any::<i16>(), any::<u32>(), any::<i16>(), any::<i32>(), any::<i16>()), 0..6)
}

fn from_backend() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![authentication(), session(), results(), copies()]
}

fn authentication() -> impl Strategy<Value = Vec<u8>> {
    let data = vec(any::<u8>(), 0..40);
    let sent = |asked: Authentication<'_>| wrote(|out| backend::authentication(out, &asked));
    prop_oneof![
        Just(sent(Authentication::Ok)),
        Just(sent(Authentication::KerberosV5)),
        Just(sent(Authentication::CleartextPassword)),
        Just(sent(Authentication::ScmCredential)),
        Just(sent(Authentication::Gss)),
        Just(sent(Authentication::Sspi)),
        any::<[u8; 4]>().prop_map(move |salt| sent(Authentication::Md5Password { salt })),
        vec(name(), 0..4).prop_map(|names| wrote(|out| backend::authentication_sasl(out, &names))),
        (data, 0..3).prop_map(move |(data, which)| sent(match which {
            0 => Authentication::GssContinue(&data),
            1 => Authentication::SaslContinue(&data),
            _ => Authentication::SaslFinal(&data),
        })),
    ]
}

fn session() -> impl Strategy<Value = Vec<u8>> {
    let fields = || vec((1_u8..=255, text()), 0..8);
    prop_oneof![
        (any::<i32>(), vec(any::<u8>(), 4..=256))
            .prop_map(|(id, key)| wrote(|out| backend::backend_key_data(out, id, &key))),
        (text(), text()).prop_map(|(name, value)| wrote(|out| backend::parameter_status(out, name, value))),
        (any::<i32>(), text(), text())
            .prop_map(|(id, channel, payload)| wrote(|out| backend::notification(out, id, channel, payload))),
        (any::<u32>(), vec(text(), 0..4)).prop_map(|(version, options)| {
            wrote(|out| backend::negotiate_protocol_version(out, Version(version), &options))
        }),
        fields().prop_map(|fields| wrote(|out| backend::error_response(out, fields))),
        fields().prop_map(|fields| wrote(|out| backend::notice_response(out, fields))),
        prop_oneof![
            Just(TransactionStatus::Idle),
            Just(TransactionStatus::Open),
            Just(TransactionStatus::Failed)
        ]
        .prop_map(|status| wrote(|out| {
            backend::ready_for_query(out, status);
            Ok(())
        })),
    ]
}

fn results() -> impl Strategy<Value = Vec<u8>> {
    let bodiless: [fn(&mut BytesMut); 7] = [
        backend::parse_complete,
        backend::bind_complete,
        backend::close_complete,
        backend::no_data,
        backend::portal_suspended,
        backend::empty_query_response,
        backend::copy_done,
    ];
    prop_oneof![
        columns().prop_map(|columns| wrote(|out| backend::row_description(out, columns.iter().map(column)))),
        values().prop_map(|values| wrote(|out| backend::data_row(out, borrowed(&values)))),
        vec(any::<u32>(), 0..8).prop_map(|types| wrote(|out| backend::parameter_description(out, types))),
        text().prop_map(|tag| wrote(|out| backend::command_complete(out, tag))),
        value().prop_map(|value| wrote(|out| backend::function_call_response(out, value.as_deref()))),
        (0..bodiless.len()).prop_map(move |which| wrote(|out| {
            bodiless[which](out);
            Ok(())
        })),
    ]
}

fn copies() -> impl Strategy<Value = Vec<u8>> {
    let columns = vec(any::<i16>(), 0..6);
    prop_oneof![
        (any::<i8>(), columns, 0..3).prop_map(|(format, columns, which)| wrote(|out| match which {
            0 => backend::copy_in_response(out, format, columns),
            1 => backend::copy_out_response(out, format, columns),
            _ => backend::copy_both_response(out, format, columns),
        })),
        vec(any::<u8>(), 0..40).prop_map(|data| wrote(|out| backend::copy_data(out, &data))),
    ]
}

fn from_frontend() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![statements(), rest_of_frontend()]
}

fn statements() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        (text(), text(), vec(any::<u32>(), 0..8))
            .prop_map(|(name, sql, types)| wrote(|out| frontend::parse(out, name, sql, types))),
        (text(), text(), values_and_formats(), vec(any::<i16>(), 0..4)).prop_map(
            |(portal, name, (values, formats), results)| {
                let wire = on_the_wire(&values);
                wrote(|out| frontend::bind(out, portal, name, formats, values.len(), &wire, results))
            }
        ),
        (text(), any::<bool>(), any::<bool>()).prop_map(|(name, portal, close)| {
            let name = Text::from(&name[..]);
            let target = if portal { Target::Portal(name) } else { Target::Statement(name) };
            wrote(|out| if close { frontend::close(out, target) } else { frontend::describe(out, target) })
        }),
        (text(), any::<i32>()).prop_map(|(portal, rows)| wrote(|out| frontend::execute(out, portal, rows))),
        (any::<u32>(), values_and_formats(), any::<i16>()).prop_map(
            |(function, (values, formats), result)| {
                wrote(|out| frontend::function_call(out, function, formats, borrowed(&values), result))
            }
        ),
    ]
}

fn rest_of_frontend() -> impl Strategy<Value = Vec<u8>> {
    let bodiless: [fn(&mut BytesMut); 4] =
        [frontend::flush, frontend::sync, frontend::terminate, frontend::copy_done];
    prop_oneof![
        text().prop_map(|sql| wrote(|out| frontend::query(out, sql))),
        text().prop_map(|reason| wrote(|out| frontend::copy_fail(out, reason))),
        text().prop_map(|password| wrote(|out| frontend::password(out, password))),
        vec(any::<u8>(), 0..40).prop_map(|data| wrote(|out| frontend::copy_data(out, &data))),
        vec(any::<u8>(), 0..40).prop_map(|data| wrote(|out| frontend::sasl_response(out, &data))),
        vec(any::<u8>(), 0..40).prop_map(|data| wrote(|out| frontend::gss_response(out, &data))),
        (text(), value()).prop_map(|(name, data)| wrote(|out| {
            frontend::sasl_initial_response(out, name, data.as_deref())
        })),
        (0..bodiless.len()).prop_map(move |which| wrote(|out| {
            bodiless[which](out);
            Ok(())
        })),
    ]
}

fn requests() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        (0_u32..=0xffff, vec((name(), text()), 0..6))
            .prop_map(|(minor, pairs)| wrote(|out| startup::startup(out, Version(3 << 16 | minor), pairs))),
        (any::<i32>(), vec(any::<u8>(), 4..=256))
            .prop_map(|(id, key)| wrote(|out| startup::cancel(out, id, &key))),
        Just(wrote(startup::ssl_request)),
        Just(wrote(startup::gssenc_request)),
    ]
}

/// Reads a body in one direction and writes what was read; `None` when it cannot be read.
type Again = fn(u8, &[u8]) -> Option<Vec<u8>>;

fn backend_again(tag: u8, body: &[u8]) -> Option<Vec<u8>> {
    let message = backend::Message::decode(tag, body).ok()?;
    Some(wrote(|out| message.encode(out)))
}

fn frontend_again(tag: u8, body: &[u8]) -> Option<Vec<u8>> {
    let message = frontend::Message::decode(tag, body).ok()?;
    Some(wrote(|out| message.encode(out)))
}

fn request_again(_: u8, body: &[u8]) -> Option<Vec<u8>> {
    let request = Request::decode(body).ok()?;
    Some(wrote(|out| request.encode(out)))
}

/// The message of that tag and body, as it travels.
fn framed(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = i32::try_from(body.len() + 4).expect("short");
    [&[tag][..], &length.to_be_bytes(), body].concat()
}

/// A message is read as a whole; cut short, it asks for more or is refused, or is another whole message.
fn check_message(bytes: &[u8], again: Again) -> Result<(), TestCaseError> {
    for cut in 0..HEADER {
        prop_assert_eq!(header(&bytes[..cut], usize::MAX), Ok(None));
    }
    let head = header(bytes, bytes.len()).expect("a header").expect("five bytes");
    prop_assert_eq!((head.tag, head.len), (bytes[0], bytes.len()));
    prop_assert_eq!(again(head.tag, &bytes[HEADER..]), Some(bytes.to_vec()));
    for cut in HEADER..bytes.len() {
        let body = &bytes[HEADER..cut];
        if let Some(other) = again(head.tag, body) {
            prop_assert_eq!(other, framed(head.tag, body));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn backend_messages_survive(bytes in from_backend()) {
        check_message(&bytes, backend_again)?;
    }

    #[test]
    fn frontend_messages_survive(bytes in from_frontend()) {
        check_message(&bytes, frontend_again)?;
    }

    #[test]
    fn requests_survive(bytes in requests()) {
        let len = startup::length(&bytes, startup::MAX_REQUEST).expect("a length").expect("four bytes");
        prop_assert_eq!(len, bytes.len());
        prop_assert_eq!(request_again(0, &bytes[4..]), Some(bytes.clone()));
        for cut in 4..bytes.len() {
            if let Some(other) = request_again(0, &bytes[4..cut]) {
                prop_assert_eq!(&other[4..], &bytes[4..cut]);
            }
        }
    }

    #[test]
    fn any_body_of_any_tag_is_refused_or_survives(tag in any::<u8>(), body in vec(any::<u8>(), 0..64)) {
        for again in [backend_again as Again, frontend_again] {
            if let Some(bytes) = again(tag, &body) {
                prop_assert_eq!(bytes, framed(tag, &body));
            }
        }
        if let Some(bytes) = request_again(0, &body) {
            prop_assert_eq!(&bytes[4..], &body[..]);
        }
    }

    /// Most random bodies fail at once; a changed byte of a good one goes deeper.
    #[test]
    fn a_changed_byte_is_refused_or_survives(bytes in from_backend(), at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let mut body = bytes[HEADER..].to_vec();
        if !body.is_empty() {
            let at = at.index(body.len());
            body[at] = to;
        }
        if let Some(again) = backend_again(bytes[0], &body) {
            prop_assert_eq!(again, framed(bytes[0], &body));
        }
    }

    #[test]
    fn lists_are_read_as_they_were_written(columns in columns(), values in values()) {
        let bytes = wrote(|out| backend::row_description(out, columns.iter().map(column)));
        let Ok(backend::Message::RowDescription(read)) = backend::Message::decode(b'T', &bytes[HEADER..]) else {
            return Err(TestCaseError::fail("no RowDescription"));
        };
        prop_assert!(read.iter().eq(columns.iter().map(column)));

        let bytes = wrote(|out| backend::data_row(out, borrowed(&values)));
        let Ok(backend::Message::DataRow(read)) = backend::Message::decode(b'D', &bytes[HEADER..]) else {
            return Err(TestCaseError::fail("no DataRow"));
        };
        prop_assert_eq!(read.len(), values.len());
        prop_assert!(read.iter().eq(borrowed(&values)));
        prop_assert!(backend::DataRow::revisit(&bytes[HEADER..]).iter().eq(borrowed(&values)));
    }

    #[test]
    fn bind_is_read_as_it_was_written(
        portal in text(),
        statement in text(),
        (values, formats) in values_and_formats(),
        results in vec(any::<i16>(), 0..4),
    ) {
        let wire = on_the_wire(&values);
        let bytes = wrote(|out| frontend::bind(out, &portal, &statement, &formats, values.len(), &wire, &results));
        let Ok(frontend::Message::Bind(read)) = frontend::Message::decode(b'B', &bytes[HEADER..]) else {
            return Err(TestCaseError::fail("no Bind"));
        };
        prop_assert_eq!(read.portal.as_bytes(), portal);
        prop_assert_eq!(read.statement.as_bytes(), statement);
        prop_assert!(read.values.iter().eq(borrowed(&values)));
        prop_assert!(read.formats.iter().eq(formats));
        prop_assert!(read.result_formats.iter().eq(results));
    }

    #[test]
    fn views_over_unchecked_bytes_never_panic(body in vec(any::<u8>(), 0..64)) {
        prop_assert!(backend::DataRow::revisit(&body).iter().count() <= body.len() / 4);
    }
}

#[test]
fn the_largest_lists_are_read() {
    let nulls = std::iter::repeat_n(None, 65_535);
    let bytes = wrote(|out| backend::data_row(out, nulls.clone()));
    let Ok(backend::Message::DataRow(row)) = backend::Message::decode(b'D', &bytes[HEADER..]) else {
        panic!()
    };
    assert_eq!(row.iter().count(), 65_535);

    let one = (vec![], 0, 0, 0, 0, 0, 0);
    let mut out = BytesMut::new();
    let all = std::iter::repeat_n(column(&one), 65_536);
    let refused = backend::row_description(&mut out, all.clone()).expect_err("one too many");
    assert_eq!(refused.fault(), Fault::Count(65_536));
    assert!(out.is_empty());
    backend::row_description(&mut out, all.skip(1)).expect("just fits");
    let Ok(backend::Message::RowDescription(read)) = backend::Message::decode(b'T', &out[HEADER..]) else {
        panic!()
    };
    assert_eq!(RowDescription::iter(read).len(), 65_535);
}

#[test]
fn a_message_without_a_body_has_none() {
    for tag in [b'1', b'2', b'3', b'I', b'n', b's', b'c'] {
        let refused = backend::Message::decode(tag, b"x").expect_err("a byte too many");
        assert_eq!(refused.fault(), Fault::Trailing(1));
    }
    for tag in [b'S', b'H', b'X', b'c'] {
        let refused = frontend::Message::decode(tag, b"x").expect_err("a byte too many");
        assert_eq!(refused.fault(), Fault::Trailing(1));
    }
    assert_eq!(backend::Message::decode(b'?', b"").map_err(|e| e.fault()), Err(Fault::Tag(b'?')));
    assert_eq!(
        backend::Message::decode(b'?', b"").expect_err("no such tag").to_string(),
        "backend message: no message has the tag '?' (0x3f)"
    );
}

#[test]
fn messages_have_names_and_show_no_data() {
    let row = wrote(|out| backend::data_row(out, [Some(&b"sesame"[..]), None]));
    let message = backend::Message::decode(b'D', &row[HEADER..]).expect("a row");
    assert_eq!(
        (message.name(), format!("{message:?}").as_str()),
        ("DataRow", "DataRow(Values(2 of 14 bytes))")
    );
    let wire = on_the_wire(&[Some(b"sesame".to_vec())]);
    let bind = wrote(|out| frontend::bind(out, "", "", [0_i16; 0], 1, &wire, [0_i16; 0]));
    let message = frontend::Message::decode(b'B', &bind[HEADER..]).expect("a bind");
    assert_eq!(message.name(), "Bind");
    assert!(!format!("{message:?}").contains("115, 101"));
}
