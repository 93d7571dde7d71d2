-- The Rust text of oid.rs, but for its head; see the file `tables` beside this one.
\set ON_ERROR_STOP on
CREATE TEMPORARY TABLE builtin AS
SELECT t.oid::int8 AS number,
       t.typname AS name,
       upper(CASE WHEN t.typcategory = 'A' OR t.typname = '_record'
                  THEN regexp_replace(t.typname, '^_(.*)$', '\1_array') ELSE t.typname END) AS constant,
       CASE WHEN t.typsubscript = 'array_subscript_handler'::regproc THEN 'Array'
            WHEN t.typtype = 'r' THEN 'Range'
            WHEN t.typtype = 'm' THEN 'Multirange'
            WHEN t.typtype = 'p' THEN 'Pseudo'
            ELSE 'Base' END AS kind,
       CASE WHEN t.typsubscript = 'array_subscript_handler'::regproc THEN t.typelem
            ELSE COALESCE(r.rngsubtype, m.rngsubtype) END::int8 AS inner_number,
       t.typsend <> 0 AS sendable
FROM pg_type t
LEFT JOIN pg_range r ON r.rngtypid = t.oid
LEFT JOIN pg_range m ON m.rngmultitypid = t.oid
WHERE t.oid < 10000 AND t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'p', 'r', 'm')
  -- Arrays over the catalog's row types.
  AND NOT EXISTS (SELECT FROM pg_type e WHERE e.oid = t.typelem AND e.typtype = 'c');

-- A container can be sent in binary form only when what it contains can.
UPDATE builtin SET sendable = FALSE FROM builtin i WHERE i.number = builtin.inner_number AND NOT i.sendable;

SELECT format(E'/// `%s`%s.\npub const %s: u32 = %s;', b.name,
              CASE b.kind WHEN 'Array' THEN format(', the array over `%s`', i.name)
                          WHEN 'Range' THEN format(', the range over `%s`', i.name)
                          WHEN 'Multirange' THEN format(', the multirange over `%s`', i.name)
                          WHEN 'Pseudo' THEN ', which only functions use' ELSE '' END,
              b.constant, b.number)
FROM builtin b LEFT JOIN builtin i ON i.number = b.inner_number
ORDER BY b.number;

SELECT format(E'\n/// Every type above, by number.\npub(crate) static TYPES: [&TypeData; %s] = [', count(*)) FROM builtin;
SELECT format('&data::%s,', constant) FROM builtin ORDER BY number;
SELECT E'];\n';

SELECT 'const fn data(oid: u32, name: &''static str, kind: Kind, binary: bool) -> TypeData {
    TypeData { oid, schema: Cow::Borrowed("pg_catalog"), name: Cow::Borrowed(name), kind, binary }
}

mod data {
    use super::{Kind, Type, TypeData, data};
';
SELECT format('pub(super) static %s: TypeData = data(%s, "%s", Kind::%s%s, %s);', b.constant, b.number, b.name, b.kind,
              CASE WHEN i.constant IS NOT NULL THEN format('(Type::builtin(&%s))', i.constant) ELSE '' END, b.sendable::text)
FROM builtin b LEFT JOIN builtin i ON i.number = b.inner_number
ORDER BY b.number;
SELECT '}';
