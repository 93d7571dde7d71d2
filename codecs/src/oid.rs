//! The numbers of the built-in types, and what each is made of.
//!
//! Made by `codecs/generate/tables` from `pg_type` of PostgreSQL 15.18; do not edit. Types that are numbered when a
//! database is made (above 9999) are left out, as are the row types of the catalog's own tables.

use std::borrow::Cow;

use crate::types::{Kind, Type, TypeData};

/// `bool`.
pub const BOOL: u32 = 16;
/// `bytea`.
pub const BYTEA: u32 = 17;
/// `char`.
pub const CHAR: u32 = 18;
/// `name`.
pub const NAME: u32 = 19;
/// `int8`.
pub const INT8: u32 = 20;
/// `int2`.
pub const INT2: u32 = 21;
/// `int2vector`, the array over `int2`.
pub const INT2VECTOR: u32 = 22;
/// `int4`.
pub const INT4: u32 = 23;
/// `regproc`.
pub const REGPROC: u32 = 24;
/// `text`.
pub const TEXT: u32 = 25;
/// `oid`.
pub const OID: u32 = 26;
/// `tid`.
pub const TID: u32 = 27;
/// `xid`.
pub const XID: u32 = 28;
/// `cid`.
pub const CID: u32 = 29;
/// `oidvector`, the array over `oid`.
pub const OIDVECTOR: u32 = 30;
/// `pg_ddl_command`, which only functions use.
pub const PG_DDL_COMMAND: u32 = 32;
/// `json`.
pub const JSON: u32 = 114;
/// `xml`.
pub const XML: u32 = 142;
/// `_xml`, the array over `xml`.
pub const XML_ARRAY: u32 = 143;
/// `pg_node_tree`.
pub const PG_NODE_TREE: u32 = 194;
/// `_json`, the array over `json`.
pub const JSON_ARRAY: u32 = 199;
/// `table_am_handler`, which only functions use.
pub const TABLE_AM_HANDLER: u32 = 269;
/// `_xid8`, the array over `xid8`.
pub const XID8_ARRAY: u32 = 271;
/// `index_am_handler`, which only functions use.
pub const INDEX_AM_HANDLER: u32 = 325;
/// `point`.
pub const POINT: u32 = 600;
/// `lseg`.
pub const LSEG: u32 = 601;
/// `path`.
pub const PATH: u32 = 602;
/// `box`.
pub const BOX: u32 = 603;
/// `polygon`.
pub const POLYGON: u32 = 604;
/// `line`.
pub const LINE: u32 = 628;
/// `_line`, the array over `line`.
pub const LINE_ARRAY: u32 = 629;
/// `cidr`.
pub const CIDR: u32 = 650;
/// `_cidr`, the array over `cidr`.
pub const CIDR_ARRAY: u32 = 651;
/// `float4`.
pub const FLOAT4: u32 = 700;
/// `float8`.
pub const FLOAT8: u32 = 701;
/// `unknown`, which only functions use.
pub const UNKNOWN: u32 = 705;
/// `circle`.
pub const CIRCLE: u32 = 718;
/// `_circle`, the array over `circle`.
pub const CIRCLE_ARRAY: u32 = 719;
/// `macaddr8`.
pub const MACADDR8: u32 = 774;
/// `_macaddr8`, the array over `macaddr8`.
pub const MACADDR8_ARRAY: u32 = 775;
/// `money`.
pub const MONEY: u32 = 790;
/// `_money`, the array over `money`.
pub const MONEY_ARRAY: u32 = 791;
/// `macaddr`.
pub const MACADDR: u32 = 829;
/// `inet`.
pub const INET: u32 = 869;
/// `_bool`, the array over `bool`.
pub const BOOL_ARRAY: u32 = 1000;
/// `_bytea`, the array over `bytea`.
pub const BYTEA_ARRAY: u32 = 1001;
/// `_char`, the array over `char`.
pub const CHAR_ARRAY: u32 = 1002;
/// `_name`, the array over `name`.
pub const NAME_ARRAY: u32 = 1003;
/// `_int2`, the array over `int2`.
pub const INT2_ARRAY: u32 = 1005;
/// `_int2vector`, the array over `int2vector`.
pub const INT2VECTOR_ARRAY: u32 = 1006;
/// `_int4`, the array over `int4`.
pub const INT4_ARRAY: u32 = 1007;
/// `_regproc`, the array over `regproc`.
pub const REGPROC_ARRAY: u32 = 1008;
/// `_text`, the array over `text`.
pub const TEXT_ARRAY: u32 = 1009;
/// `_tid`, the array over `tid`.
pub const TID_ARRAY: u32 = 1010;
/// `_xid`, the array over `xid`.
pub const XID_ARRAY: u32 = 1011;
/// `_cid`, the array over `cid`.
pub const CID_ARRAY: u32 = 1012;
/// `_oidvector`, the array over `oidvector`.
pub const OIDVECTOR_ARRAY: u32 = 1013;
/// `_bpchar`, the array over `bpchar`.
pub const BPCHAR_ARRAY: u32 = 1014;
/// `_varchar`, the array over `varchar`.
pub const VARCHAR_ARRAY: u32 = 1015;
/// `_int8`, the array over `int8`.
pub const INT8_ARRAY: u32 = 1016;
/// `_point`, the array over `point`.
pub const POINT_ARRAY: u32 = 1017;
/// `_lseg`, the array over `lseg`.
pub const LSEG_ARRAY: u32 = 1018;
/// `_path`, the array over `path`.
pub const PATH_ARRAY: u32 = 1019;
/// `_box`, the array over `box`.
pub const BOX_ARRAY: u32 = 1020;
/// `_float4`, the array over `float4`.
pub const FLOAT4_ARRAY: u32 = 1021;
/// `_float8`, the array over `float8`.
pub const FLOAT8_ARRAY: u32 = 1022;
/// `_polygon`, the array over `polygon`.
pub const POLYGON_ARRAY: u32 = 1027;
/// `_oid`, the array over `oid`.
pub const OID_ARRAY: u32 = 1028;
/// `aclitem`.
pub const ACLITEM: u32 = 1033;
/// `_aclitem`, the array over `aclitem`.
pub const ACLITEM_ARRAY: u32 = 1034;
/// `_macaddr`, the array over `macaddr`.
pub const MACADDR_ARRAY: u32 = 1040;
/// `_inet`, the array over `inet`.
pub const INET_ARRAY: u32 = 1041;
/// `bpchar`.
pub const BPCHAR: u32 = 1042;
/// `varchar`.
pub const VARCHAR: u32 = 1043;
/// `date`.
pub const DATE: u32 = 1082;
/// `time`.
pub const TIME: u32 = 1083;
/// `timestamp`.
pub const TIMESTAMP: u32 = 1114;
/// `_timestamp`, the array over `timestamp`.
pub const TIMESTAMP_ARRAY: u32 = 1115;
/// `_date`, the array over `date`.
pub const DATE_ARRAY: u32 = 1182;
/// `_time`, the array over `time`.
pub const TIME_ARRAY: u32 = 1183;
/// `timestamptz`.
pub const TIMESTAMPTZ: u32 = 1184;
/// `_timestamptz`, the array over `timestamptz`.
pub const TIMESTAMPTZ_ARRAY: u32 = 1185;
/// `interval`.
pub const INTERVAL: u32 = 1186;
/// `_interval`, the array over `interval`.
pub const INTERVAL_ARRAY: u32 = 1187;
/// `_numeric`, the array over `numeric`.
pub const NUMERIC_ARRAY: u32 = 1231;
/// `_cstring`, the array over `cstring`.
pub const CSTRING_ARRAY: u32 = 1263;
/// `timetz`.
pub const TIMETZ: u32 = 1266;
/// `_timetz`, the array over `timetz`.
pub const TIMETZ_ARRAY: u32 = 1270;
/// `bit`.
pub const BIT: u32 = 1560;
/// `_bit`, the array over `bit`.
pub const BIT_ARRAY: u32 = 1561;
/// `varbit`.
pub const VARBIT: u32 = 1562;
/// `_varbit`, the array over `varbit`.
pub const VARBIT_ARRAY: u32 = 1563;
/// `numeric`.
pub const NUMERIC: u32 = 1700;
/// `refcursor`.
pub const REFCURSOR: u32 = 1790;
/// `_refcursor`, the array over `refcursor`.
pub const REFCURSOR_ARRAY: u32 = 2201;
/// `regprocedure`.
pub const REGPROCEDURE: u32 = 2202;
/// `regoper`.
pub const REGOPER: u32 = 2203;
/// `regoperator`.
pub const REGOPERATOR: u32 = 2204;
/// `regclass`.
pub const REGCLASS: u32 = 2205;
/// `regtype`.
pub const REGTYPE: u32 = 2206;
/// `_regprocedure`, the array over `regprocedure`.
pub const REGPROCEDURE_ARRAY: u32 = 2207;
/// `_regoper`, the array over `regoper`.
pub const REGOPER_ARRAY: u32 = 2208;
/// `_regoperator`, the array over `regoperator`.
pub const REGOPERATOR_ARRAY: u32 = 2209;
/// `_regclass`, the array over `regclass`.
pub const REGCLASS_ARRAY: u32 = 2210;
/// `_regtype`, the array over `regtype`.
pub const REGTYPE_ARRAY: u32 = 2211;
/// `record`, which only functions use.
pub const RECORD: u32 = 2249;
/// `cstring`, which only functions use.
pub const CSTRING: u32 = 2275;
/// `any`, which only functions use.
pub const ANY: u32 = 2276;
/// `anyarray`, which only functions use.
pub const ANYARRAY: u32 = 2277;
/// `void`, which only functions use.
pub const VOID: u32 = 2278;
/// `trigger`, which only functions use.
pub const TRIGGER: u32 = 2279;
/// `language_handler`, which only functions use.
pub const LANGUAGE_HANDLER: u32 = 2280;
/// `internal`, which only functions use.
pub const INTERNAL: u32 = 2281;
/// `anyelement`, which only functions use.
pub const ANYELEMENT: u32 = 2283;
/// `_record`, the array over `record`.
pub const RECORD_ARRAY: u32 = 2287;
/// `anynonarray`, which only functions use.
pub const ANYNONARRAY: u32 = 2776;
/// `_txid_snapshot`, the array over `txid_snapshot`.
pub const TXID_SNAPSHOT_ARRAY: u32 = 2949;
/// `uuid`.
pub const UUID: u32 = 2950;
/// `_uuid`, the array over `uuid`.
pub const UUID_ARRAY: u32 = 2951;
/// `txid_snapshot`.
pub const TXID_SNAPSHOT: u32 = 2970;
/// `fdw_handler`, which only functions use.
pub const FDW_HANDLER: u32 = 3115;
/// `pg_lsn`.
pub const PG_LSN: u32 = 3220;
/// `_pg_lsn`, the array over `pg_lsn`.
pub const PG_LSN_ARRAY: u32 = 3221;
/// `tsm_handler`, which only functions use.
pub const TSM_HANDLER: u32 = 3310;
/// `pg_ndistinct`.
pub const PG_NDISTINCT: u32 = 3361;
/// `pg_dependencies`.
pub const PG_DEPENDENCIES: u32 = 3402;
/// `anyenum`, which only functions use.
pub const ANYENUM: u32 = 3500;
/// `tsvector`.
pub const TSVECTOR: u32 = 3614;
/// `tsquery`.
pub const TSQUERY: u32 = 3615;
/// `gtsvector`.
pub const GTSVECTOR: u32 = 3642;
/// `_tsvector`, the array over `tsvector`.
pub const TSVECTOR_ARRAY: u32 = 3643;
/// `_gtsvector`, the array over `gtsvector`.
pub const GTSVECTOR_ARRAY: u32 = 3644;
/// `_tsquery`, the array over `tsquery`.
pub const TSQUERY_ARRAY: u32 = 3645;
/// `regconfig`.
pub const REGCONFIG: u32 = 3734;
/// `_regconfig`, the array over `regconfig`.
pub const REGCONFIG_ARRAY: u32 = 3735;
/// `regdictionary`.
pub const REGDICTIONARY: u32 = 3769;
/// `_regdictionary`, the array over `regdictionary`.
pub const REGDICTIONARY_ARRAY: u32 = 3770;
/// `jsonb`.
pub const JSONB: u32 = 3802;
/// `_jsonb`, the array over `jsonb`.
pub const JSONB_ARRAY: u32 = 3807;
/// `anyrange`, which only functions use.
pub const ANYRANGE: u32 = 3831;
/// `event_trigger`, which only functions use.
pub const EVENT_TRIGGER: u32 = 3838;
/// `int4range`, the range over `int4`.
pub const INT4RANGE: u32 = 3904;
/// `_int4range`, the array over `int4range`.
pub const INT4RANGE_ARRAY: u32 = 3905;
/// `numrange`, the range over `numeric`.
pub const NUMRANGE: u32 = 3906;
/// `_numrange`, the array over `numrange`.
pub const NUMRANGE_ARRAY: u32 = 3907;
/// `tsrange`, the range over `timestamp`.
pub const TSRANGE: u32 = 3908;
/// `_tsrange`, the array over `tsrange`.
pub const TSRANGE_ARRAY: u32 = 3909;
/// `tstzrange`, the range over `timestamptz`.
pub const TSTZRANGE: u32 = 3910;
/// `_tstzrange`, the array over `tstzrange`.
pub const TSTZRANGE_ARRAY: u32 = 3911;
/// `daterange`, the range over `date`.
pub const DATERANGE: u32 = 3912;
/// `_daterange`, the array over `daterange`.
pub const DATERANGE_ARRAY: u32 = 3913;
/// `int8range`, the range over `int8`.
pub const INT8RANGE: u32 = 3926;
/// `_int8range`, the array over `int8range`.
pub const INT8RANGE_ARRAY: u32 = 3927;
/// `jsonpath`.
pub const JSONPATH: u32 = 4072;
/// `_jsonpath`, the array over `jsonpath`.
pub const JSONPATH_ARRAY: u32 = 4073;
/// `regnamespace`.
pub const REGNAMESPACE: u32 = 4089;
/// `_regnamespace`, the array over `regnamespace`.
pub const REGNAMESPACE_ARRAY: u32 = 4090;
/// `regrole`.
pub const REGROLE: u32 = 4096;
/// `_regrole`, the array over `regrole`.
pub const REGROLE_ARRAY: u32 = 4097;
/// `regcollation`.
pub const REGCOLLATION: u32 = 4191;
/// `_regcollation`, the array over `regcollation`.
pub const REGCOLLATION_ARRAY: u32 = 4192;
/// `int4multirange`, the multirange over `int4`.
pub const INT4MULTIRANGE: u32 = 4451;
/// `nummultirange`, the multirange over `numeric`.
pub const NUMMULTIRANGE: u32 = 4532;
/// `tsmultirange`, the multirange over `timestamp`.
pub const TSMULTIRANGE: u32 = 4533;
/// `tstzmultirange`, the multirange over `timestamptz`.
pub const TSTZMULTIRANGE: u32 = 4534;
/// `datemultirange`, the multirange over `date`.
pub const DATEMULTIRANGE: u32 = 4535;
/// `int8multirange`, the multirange over `int8`.
pub const INT8MULTIRANGE: u32 = 4536;
/// `anymultirange`, which only functions use.
pub const ANYMULTIRANGE: u32 = 4537;
/// `anycompatiblemultirange`, which only functions use.
pub const ANYCOMPATIBLEMULTIRANGE: u32 = 4538;
/// `pg_brin_bloom_summary`.
pub const PG_BRIN_BLOOM_SUMMARY: u32 = 4600;
/// `pg_brin_minmax_multi_summary`.
pub const PG_BRIN_MINMAX_MULTI_SUMMARY: u32 = 4601;
/// `pg_mcv_list`.
pub const PG_MCV_LIST: u32 = 5017;
/// `pg_snapshot`.
pub const PG_SNAPSHOT: u32 = 5038;
/// `_pg_snapshot`, the array over `pg_snapshot`.
pub const PG_SNAPSHOT_ARRAY: u32 = 5039;
/// `xid8`.
pub const XID8: u32 = 5069;
/// `anycompatible`, which only functions use.
pub const ANYCOMPATIBLE: u32 = 5077;
/// `anycompatiblearray`, which only functions use.
pub const ANYCOMPATIBLEARRAY: u32 = 5078;
/// `anycompatiblenonarray`, which only functions use.
pub const ANYCOMPATIBLENONARRAY: u32 = 5079;
/// `anycompatiblerange`, which only functions use.
pub const ANYCOMPATIBLERANGE: u32 = 5080;
/// `_int4multirange`, the array over `int4multirange`.
pub const INT4MULTIRANGE_ARRAY: u32 = 6150;
/// `_nummultirange`, the array over `nummultirange`.
pub const NUMMULTIRANGE_ARRAY: u32 = 6151;
/// `_tsmultirange`, the array over `tsmultirange`.
pub const TSMULTIRANGE_ARRAY: u32 = 6152;
/// `_tstzmultirange`, the array over `tstzmultirange`.
pub const TSTZMULTIRANGE_ARRAY: u32 = 6153;
/// `_datemultirange`, the array over `datemultirange`.
pub const DATEMULTIRANGE_ARRAY: u32 = 6155;
/// `_int8multirange`, the array over `int8multirange`.
pub const INT8MULTIRANGE_ARRAY: u32 = 6157;

/// Every type above, by number.
pub(crate) static TYPES: [&TypeData; 185] = [
    &data::BOOL,
    &data::BYTEA,
    &data::CHAR,
    &data::NAME,
    &data::INT8,
    &data::INT2,
    &data::INT2VECTOR,
    &data::INT4,
    &data::REGPROC,
    &data::TEXT,
    &data::OID,
    &data::TID,
    &data::XID,
    &data::CID,
    &data::OIDVECTOR,
    &data::PG_DDL_COMMAND,
    &data::JSON,
    &data::XML,
    &data::XML_ARRAY,
    &data::PG_NODE_TREE,
    &data::JSON_ARRAY,
    &data::TABLE_AM_HANDLER,
    &data::XID8_ARRAY,
    &data::INDEX_AM_HANDLER,
    &data::POINT,
    &data::LSEG,
    &data::PATH,
    &data::BOX,
    &data::POLYGON,
    &data::LINE,
    &data::LINE_ARRAY,
    &data::CIDR,
    &data::CIDR_ARRAY,
    &data::FLOAT4,
    &data::FLOAT8,
    &data::UNKNOWN,
    &data::CIRCLE,
    &data::CIRCLE_ARRAY,
    &data::MACADDR8,
    &data::MACADDR8_ARRAY,
    &data::MONEY,
    &data::MONEY_ARRAY,
    &data::MACADDR,
    &data::INET,
    &data::BOOL_ARRAY,
    &data::BYTEA_ARRAY,
    &data::CHAR_ARRAY,
    &data::NAME_ARRAY,
    &data::INT2_ARRAY,
    &data::INT2VECTOR_ARRAY,
    &data::INT4_ARRAY,
    &data::REGPROC_ARRAY,
    &data::TEXT_ARRAY,
    &data::TID_ARRAY,
    &data::XID_ARRAY,
    &data::CID_ARRAY,
    &data::OIDVECTOR_ARRAY,
    &data::BPCHAR_ARRAY,
    &data::VARCHAR_ARRAY,
    &data::INT8_ARRAY,
    &data::POINT_ARRAY,
    &data::LSEG_ARRAY,
    &data::PATH_ARRAY,
    &data::BOX_ARRAY,
    &data::FLOAT4_ARRAY,
    &data::FLOAT8_ARRAY,
    &data::POLYGON_ARRAY,
    &data::OID_ARRAY,
    &data::ACLITEM,
    &data::ACLITEM_ARRAY,
    &data::MACADDR_ARRAY,
    &data::INET_ARRAY,
    &data::BPCHAR,
    &data::VARCHAR,
    &data::DATE,
    &data::TIME,
    &data::TIMESTAMP,
    &data::TIMESTAMP_ARRAY,
    &data::DATE_ARRAY,
    &data::TIME_ARRAY,
    &data::TIMESTAMPTZ,
    &data::TIMESTAMPTZ_ARRAY,
    &data::INTERVAL,
    &data::INTERVAL_ARRAY,
    &data::NUMERIC_ARRAY,
    &data::CSTRING_ARRAY,
    &data::TIMETZ,
    &data::TIMETZ_ARRAY,
    &data::BIT,
    &data::BIT_ARRAY,
    &data::VARBIT,
    &data::VARBIT_ARRAY,
    &data::NUMERIC,
    &data::REFCURSOR,
    &data::REFCURSOR_ARRAY,
    &data::REGPROCEDURE,
    &data::REGOPER,
    &data::REGOPERATOR,
    &data::REGCLASS,
    &data::REGTYPE,
    &data::REGPROCEDURE_ARRAY,
    &data::REGOPER_ARRAY,
    &data::REGOPERATOR_ARRAY,
    &data::REGCLASS_ARRAY,
    &data::REGTYPE_ARRAY,
    &data::RECORD,
    &data::CSTRING,
    &data::ANY,
    &data::ANYARRAY,
    &data::VOID,
    &data::TRIGGER,
    &data::LANGUAGE_HANDLER,
    &data::INTERNAL,
    &data::ANYELEMENT,
    &data::RECORD_ARRAY,
    &data::ANYNONARRAY,
    &data::TXID_SNAPSHOT_ARRAY,
    &data::UUID,
    &data::UUID_ARRAY,
    &data::TXID_SNAPSHOT,
    &data::FDW_HANDLER,
    &data::PG_LSN,
    &data::PG_LSN_ARRAY,
    &data::TSM_HANDLER,
    &data::PG_NDISTINCT,
    &data::PG_DEPENDENCIES,
    &data::ANYENUM,
    &data::TSVECTOR,
    &data::TSQUERY,
    &data::GTSVECTOR,
    &data::TSVECTOR_ARRAY,
    &data::GTSVECTOR_ARRAY,
    &data::TSQUERY_ARRAY,
    &data::REGCONFIG,
    &data::REGCONFIG_ARRAY,
    &data::REGDICTIONARY,
    &data::REGDICTIONARY_ARRAY,
    &data::JSONB,
    &data::JSONB_ARRAY,
    &data::ANYRANGE,
    &data::EVENT_TRIGGER,
    &data::INT4RANGE,
    &data::INT4RANGE_ARRAY,
    &data::NUMRANGE,
    &data::NUMRANGE_ARRAY,
    &data::TSRANGE,
    &data::TSRANGE_ARRAY,
    &data::TSTZRANGE,
    &data::TSTZRANGE_ARRAY,
    &data::DATERANGE,
    &data::DATERANGE_ARRAY,
    &data::INT8RANGE,
    &data::INT8RANGE_ARRAY,
    &data::JSONPATH,
    &data::JSONPATH_ARRAY,
    &data::REGNAMESPACE,
    &data::REGNAMESPACE_ARRAY,
    &data::REGROLE,
    &data::REGROLE_ARRAY,
    &data::REGCOLLATION,
    &data::REGCOLLATION_ARRAY,
    &data::INT4MULTIRANGE,
    &data::NUMMULTIRANGE,
    &data::TSMULTIRANGE,
    &data::TSTZMULTIRANGE,
    &data::DATEMULTIRANGE,
    &data::INT8MULTIRANGE,
    &data::ANYMULTIRANGE,
    &data::ANYCOMPATIBLEMULTIRANGE,
    &data::PG_BRIN_BLOOM_SUMMARY,
    &data::PG_BRIN_MINMAX_MULTI_SUMMARY,
    &data::PG_MCV_LIST,
    &data::PG_SNAPSHOT,
    &data::PG_SNAPSHOT_ARRAY,
    &data::XID8,
    &data::ANYCOMPATIBLE,
    &data::ANYCOMPATIBLEARRAY,
    &data::ANYCOMPATIBLENONARRAY,
    &data::ANYCOMPATIBLERANGE,
    &data::INT4MULTIRANGE_ARRAY,
    &data::NUMMULTIRANGE_ARRAY,
    &data::TSMULTIRANGE_ARRAY,
    &data::TSTZMULTIRANGE_ARRAY,
    &data::DATEMULTIRANGE_ARRAY,
    &data::INT8MULTIRANGE_ARRAY,
];

const fn data(oid: u32, name: &'static str, kind: Kind, binary: bool) -> TypeData {
    TypeData { oid, schema: Cow::Borrowed("pg_catalog"), name: Cow::Borrowed(name), kind, binary }
}

mod data {
    use super::{Kind, Type, TypeData, data};

    pub(super) static BOOL: TypeData = data(16, "bool", Kind::Base, true);
    pub(super) static BYTEA: TypeData = data(17, "bytea", Kind::Base, true);
    pub(super) static CHAR: TypeData = data(18, "char", Kind::Base, true);
    pub(super) static NAME: TypeData = data(19, "name", Kind::Base, true);
    pub(super) static INT8: TypeData = data(20, "int8", Kind::Base, true);
    pub(super) static INT2: TypeData = data(21, "int2", Kind::Base, true);
    pub(super) static INT2VECTOR: TypeData = data(22, "int2vector", Kind::Array(Type::builtin(&INT2)), true);
    pub(super) static INT4: TypeData = data(23, "int4", Kind::Base, true);
    pub(super) static REGPROC: TypeData = data(24, "regproc", Kind::Base, true);
    pub(super) static TEXT: TypeData = data(25, "text", Kind::Base, true);
    pub(super) static OID: TypeData = data(26, "oid", Kind::Base, true);
    pub(super) static TID: TypeData = data(27, "tid", Kind::Base, true);
    pub(super) static XID: TypeData = data(28, "xid", Kind::Base, true);
    pub(super) static CID: TypeData = data(29, "cid", Kind::Base, true);
    pub(super) static OIDVECTOR: TypeData = data(30, "oidvector", Kind::Array(Type::builtin(&OID)), true);
    pub(super) static PG_DDL_COMMAND: TypeData = data(32, "pg_ddl_command", Kind::Pseudo, true);
    pub(super) static JSON: TypeData = data(114, "json", Kind::Base, true);
    pub(super) static XML: TypeData = data(142, "xml", Kind::Base, true);
    pub(super) static XML_ARRAY: TypeData = data(143, "_xml", Kind::Array(Type::builtin(&XML)), true);
    pub(super) static PG_NODE_TREE: TypeData = data(194, "pg_node_tree", Kind::Base, true);
    pub(super) static JSON_ARRAY: TypeData = data(199, "_json", Kind::Array(Type::builtin(&JSON)), true);
    pub(super) static TABLE_AM_HANDLER: TypeData = data(269, "table_am_handler", Kind::Pseudo, false);
    pub(super) static XID8_ARRAY: TypeData = data(271, "_xid8", Kind::Array(Type::builtin(&XID8)), true);
    pub(super) static INDEX_AM_HANDLER: TypeData = data(325, "index_am_handler", Kind::Pseudo, false);
    pub(super) static POINT: TypeData = data(600, "point", Kind::Base, true);
    pub(super) static LSEG: TypeData = data(601, "lseg", Kind::Base, true);
    pub(super) static PATH: TypeData = data(602, "path", Kind::Base, true);
    pub(super) static BOX: TypeData = data(603, "box", Kind::Base, true);
    pub(super) static POLYGON: TypeData = data(604, "polygon", Kind::Base, true);
    pub(super) static LINE: TypeData = data(628, "line", Kind::Base, true);
    pub(super) static LINE_ARRAY: TypeData = data(629, "_line", Kind::Array(Type::builtin(&LINE)), true);
    pub(super) static CIDR: TypeData = data(650, "cidr", Kind::Base, true);
    pub(super) static CIDR_ARRAY: TypeData = data(651, "_cidr", Kind::Array(Type::builtin(&CIDR)), true);
    pub(super) static FLOAT4: TypeData = data(700, "float4", Kind::Base, true);
    pub(super) static FLOAT8: TypeData = data(701, "float8", Kind::Base, true);
    pub(super) static UNKNOWN: TypeData = data(705, "unknown", Kind::Pseudo, true);
    pub(super) static CIRCLE: TypeData = data(718, "circle", Kind::Base, true);
    pub(super) static CIRCLE_ARRAY: TypeData =
        data(719, "_circle", Kind::Array(Type::builtin(&CIRCLE)), true);
    pub(super) static MACADDR8: TypeData = data(774, "macaddr8", Kind::Base, true);
    pub(super) static MACADDR8_ARRAY: TypeData =
        data(775, "_macaddr8", Kind::Array(Type::builtin(&MACADDR8)), true);
    pub(super) static MONEY: TypeData = data(790, "money", Kind::Base, true);
    pub(super) static MONEY_ARRAY: TypeData = data(791, "_money", Kind::Array(Type::builtin(&MONEY)), true);
    pub(super) static MACADDR: TypeData = data(829, "macaddr", Kind::Base, true);
    pub(super) static INET: TypeData = data(869, "inet", Kind::Base, true);
    pub(super) static BOOL_ARRAY: TypeData = data(1000, "_bool", Kind::Array(Type::builtin(&BOOL)), true);
    pub(super) static BYTEA_ARRAY: TypeData = data(1001, "_bytea", Kind::Array(Type::builtin(&BYTEA)), true);
    pub(super) static CHAR_ARRAY: TypeData = data(1002, "_char", Kind::Array(Type::builtin(&CHAR)), true);
    pub(super) static NAME_ARRAY: TypeData = data(1003, "_name", Kind::Array(Type::builtin(&NAME)), true);
    pub(super) static INT2_ARRAY: TypeData = data(1005, "_int2", Kind::Array(Type::builtin(&INT2)), true);
    pub(super) static INT2VECTOR_ARRAY: TypeData =
        data(1006, "_int2vector", Kind::Array(Type::builtin(&INT2VECTOR)), true);
    pub(super) static INT4_ARRAY: TypeData = data(1007, "_int4", Kind::Array(Type::builtin(&INT4)), true);
    pub(super) static REGPROC_ARRAY: TypeData =
        data(1008, "_regproc", Kind::Array(Type::builtin(&REGPROC)), true);
    pub(super) static TEXT_ARRAY: TypeData = data(1009, "_text", Kind::Array(Type::builtin(&TEXT)), true);
    pub(super) static TID_ARRAY: TypeData = data(1010, "_tid", Kind::Array(Type::builtin(&TID)), true);
    pub(super) static XID_ARRAY: TypeData = data(1011, "_xid", Kind::Array(Type::builtin(&XID)), true);
    pub(super) static CID_ARRAY: TypeData = data(1012, "_cid", Kind::Array(Type::builtin(&CID)), true);
    pub(super) static OIDVECTOR_ARRAY: TypeData =
        data(1013, "_oidvector", Kind::Array(Type::builtin(&OIDVECTOR)), true);
    pub(super) static BPCHAR_ARRAY: TypeData =
        data(1014, "_bpchar", Kind::Array(Type::builtin(&BPCHAR)), true);
    pub(super) static VARCHAR_ARRAY: TypeData =
        data(1015, "_varchar", Kind::Array(Type::builtin(&VARCHAR)), true);
    pub(super) static INT8_ARRAY: TypeData = data(1016, "_int8", Kind::Array(Type::builtin(&INT8)), true);
    pub(super) static POINT_ARRAY: TypeData = data(1017, "_point", Kind::Array(Type::builtin(&POINT)), true);
    pub(super) static LSEG_ARRAY: TypeData = data(1018, "_lseg", Kind::Array(Type::builtin(&LSEG)), true);
    pub(super) static PATH_ARRAY: TypeData = data(1019, "_path", Kind::Array(Type::builtin(&PATH)), true);
    pub(super) static BOX_ARRAY: TypeData = data(1020, "_box", Kind::Array(Type::builtin(&BOX)), true);
    pub(super) static FLOAT4_ARRAY: TypeData =
        data(1021, "_float4", Kind::Array(Type::builtin(&FLOAT4)), true);
    pub(super) static FLOAT8_ARRAY: TypeData =
        data(1022, "_float8", Kind::Array(Type::builtin(&FLOAT8)), true);
    pub(super) static POLYGON_ARRAY: TypeData =
        data(1027, "_polygon", Kind::Array(Type::builtin(&POLYGON)), true);
    pub(super) static OID_ARRAY: TypeData = data(1028, "_oid", Kind::Array(Type::builtin(&OID)), true);
    pub(super) static ACLITEM: TypeData = data(1033, "aclitem", Kind::Base, false);
    pub(super) static ACLITEM_ARRAY: TypeData =
        data(1034, "_aclitem", Kind::Array(Type::builtin(&ACLITEM)), false);
    pub(super) static MACADDR_ARRAY: TypeData =
        data(1040, "_macaddr", Kind::Array(Type::builtin(&MACADDR)), true);
    pub(super) static INET_ARRAY: TypeData = data(1041, "_inet", Kind::Array(Type::builtin(&INET)), true);
    pub(super) static BPCHAR: TypeData = data(1042, "bpchar", Kind::Base, true);
    pub(super) static VARCHAR: TypeData = data(1043, "varchar", Kind::Base, true);
    pub(super) static DATE: TypeData = data(1082, "date", Kind::Base, true);
    pub(super) static TIME: TypeData = data(1083, "time", Kind::Base, true);
    pub(super) static TIMESTAMP: TypeData = data(1114, "timestamp", Kind::Base, true);
    pub(super) static TIMESTAMP_ARRAY: TypeData =
        data(1115, "_timestamp", Kind::Array(Type::builtin(&TIMESTAMP)), true);
    pub(super) static DATE_ARRAY: TypeData = data(1182, "_date", Kind::Array(Type::builtin(&DATE)), true);
    pub(super) static TIME_ARRAY: TypeData = data(1183, "_time", Kind::Array(Type::builtin(&TIME)), true);
    pub(super) static TIMESTAMPTZ: TypeData = data(1184, "timestamptz", Kind::Base, true);
    pub(super) static TIMESTAMPTZ_ARRAY: TypeData =
        data(1185, "_timestamptz", Kind::Array(Type::builtin(&TIMESTAMPTZ)), true);
    pub(super) static INTERVAL: TypeData = data(1186, "interval", Kind::Base, true);
    pub(super) static INTERVAL_ARRAY: TypeData =
        data(1187, "_interval", Kind::Array(Type::builtin(&INTERVAL)), true);
    pub(super) static NUMERIC_ARRAY: TypeData =
        data(1231, "_numeric", Kind::Array(Type::builtin(&NUMERIC)), true);
    pub(super) static CSTRING_ARRAY: TypeData =
        data(1263, "_cstring", Kind::Array(Type::builtin(&CSTRING)), true);
    pub(super) static TIMETZ: TypeData = data(1266, "timetz", Kind::Base, true);
    pub(super) static TIMETZ_ARRAY: TypeData =
        data(1270, "_timetz", Kind::Array(Type::builtin(&TIMETZ)), true);
    pub(super) static BIT: TypeData = data(1560, "bit", Kind::Base, true);
    pub(super) static BIT_ARRAY: TypeData = data(1561, "_bit", Kind::Array(Type::builtin(&BIT)), true);
    pub(super) static VARBIT: TypeData = data(1562, "varbit", Kind::Base, true);
    pub(super) static VARBIT_ARRAY: TypeData =
        data(1563, "_varbit", Kind::Array(Type::builtin(&VARBIT)), true);
    pub(super) static NUMERIC: TypeData = data(1700, "numeric", Kind::Base, true);
    pub(super) static REFCURSOR: TypeData = data(1790, "refcursor", Kind::Base, true);
    pub(super) static REFCURSOR_ARRAY: TypeData =
        data(2201, "_refcursor", Kind::Array(Type::builtin(&REFCURSOR)), true);
    pub(super) static REGPROCEDURE: TypeData = data(2202, "regprocedure", Kind::Base, true);
    pub(super) static REGOPER: TypeData = data(2203, "regoper", Kind::Base, true);
    pub(super) static REGOPERATOR: TypeData = data(2204, "regoperator", Kind::Base, true);
    pub(super) static REGCLASS: TypeData = data(2205, "regclass", Kind::Base, true);
    pub(super) static REGTYPE: TypeData = data(2206, "regtype", Kind::Base, true);
    pub(super) static REGPROCEDURE_ARRAY: TypeData =
        data(2207, "_regprocedure", Kind::Array(Type::builtin(&REGPROCEDURE)), true);
    pub(super) static REGOPER_ARRAY: TypeData =
        data(2208, "_regoper", Kind::Array(Type::builtin(&REGOPER)), true);
    pub(super) static REGOPERATOR_ARRAY: TypeData =
        data(2209, "_regoperator", Kind::Array(Type::builtin(&REGOPERATOR)), true);
    pub(super) static REGCLASS_ARRAY: TypeData =
        data(2210, "_regclass", Kind::Array(Type::builtin(&REGCLASS)), true);
    pub(super) static REGTYPE_ARRAY: TypeData =
        data(2211, "_regtype", Kind::Array(Type::builtin(&REGTYPE)), true);
    pub(super) static RECORD: TypeData = data(2249, "record", Kind::Pseudo, true);
    pub(super) static CSTRING: TypeData = data(2275, "cstring", Kind::Pseudo, true);
    pub(super) static ANY: TypeData = data(2276, "any", Kind::Pseudo, false);
    pub(super) static ANYARRAY: TypeData = data(2277, "anyarray", Kind::Pseudo, true);
    pub(super) static VOID: TypeData = data(2278, "void", Kind::Pseudo, true);
    pub(super) static TRIGGER: TypeData = data(2279, "trigger", Kind::Pseudo, false);
    pub(super) static LANGUAGE_HANDLER: TypeData = data(2280, "language_handler", Kind::Pseudo, false);
    pub(super) static INTERNAL: TypeData = data(2281, "internal", Kind::Pseudo, false);
    pub(super) static ANYELEMENT: TypeData = data(2283, "anyelement", Kind::Pseudo, false);
    pub(super) static RECORD_ARRAY: TypeData =
        data(2287, "_record", Kind::Array(Type::builtin(&RECORD)), true);
    pub(super) static ANYNONARRAY: TypeData = data(2776, "anynonarray", Kind::Pseudo, false);
    pub(super) static TXID_SNAPSHOT_ARRAY: TypeData =
        data(2949, "_txid_snapshot", Kind::Array(Type::builtin(&TXID_SNAPSHOT)), true);
    pub(super) static UUID: TypeData = data(2950, "uuid", Kind::Base, true);
    pub(super) static UUID_ARRAY: TypeData = data(2951, "_uuid", Kind::Array(Type::builtin(&UUID)), true);
    pub(super) static TXID_SNAPSHOT: TypeData = data(2970, "txid_snapshot", Kind::Base, true);
    pub(super) static FDW_HANDLER: TypeData = data(3115, "fdw_handler", Kind::Pseudo, false);
    pub(super) static PG_LSN: TypeData = data(3220, "pg_lsn", Kind::Base, true);
    pub(super) static PG_LSN_ARRAY: TypeData =
        data(3221, "_pg_lsn", Kind::Array(Type::builtin(&PG_LSN)), true);
    pub(super) static TSM_HANDLER: TypeData = data(3310, "tsm_handler", Kind::Pseudo, false);
    pub(super) static PG_NDISTINCT: TypeData = data(3361, "pg_ndistinct", Kind::Base, true);
    pub(super) static PG_DEPENDENCIES: TypeData = data(3402, "pg_dependencies", Kind::Base, true);
    pub(super) static ANYENUM: TypeData = data(3500, "anyenum", Kind::Pseudo, false);
    pub(super) static TSVECTOR: TypeData = data(3614, "tsvector", Kind::Base, true);
    pub(super) static TSQUERY: TypeData = data(3615, "tsquery", Kind::Base, true);
    pub(super) static GTSVECTOR: TypeData = data(3642, "gtsvector", Kind::Base, false);
    pub(super) static TSVECTOR_ARRAY: TypeData =
        data(3643, "_tsvector", Kind::Array(Type::builtin(&TSVECTOR)), true);
    pub(super) static GTSVECTOR_ARRAY: TypeData =
        data(3644, "_gtsvector", Kind::Array(Type::builtin(&GTSVECTOR)), false);
    pub(super) static TSQUERY_ARRAY: TypeData =
        data(3645, "_tsquery", Kind::Array(Type::builtin(&TSQUERY)), true);
    pub(super) static REGCONFIG: TypeData = data(3734, "regconfig", Kind::Base, true);
    pub(super) static REGCONFIG_ARRAY: TypeData =
        data(3735, "_regconfig", Kind::Array(Type::builtin(&REGCONFIG)), true);
    pub(super) static REGDICTIONARY: TypeData = data(3769, "regdictionary", Kind::Base, true);
    pub(super) static REGDICTIONARY_ARRAY: TypeData =
        data(3770, "_regdictionary", Kind::Array(Type::builtin(&REGDICTIONARY)), true);
    pub(super) static JSONB: TypeData = data(3802, "jsonb", Kind::Base, true);
    pub(super) static JSONB_ARRAY: TypeData = data(3807, "_jsonb", Kind::Array(Type::builtin(&JSONB)), true);
    pub(super) static ANYRANGE: TypeData = data(3831, "anyrange", Kind::Pseudo, false);
    pub(super) static EVENT_TRIGGER: TypeData = data(3838, "event_trigger", Kind::Pseudo, false);
    pub(super) static INT4RANGE: TypeData = data(3904, "int4range", Kind::Range(Type::builtin(&INT4)), true);
    pub(super) static INT4RANGE_ARRAY: TypeData =
        data(3905, "_int4range", Kind::Array(Type::builtin(&INT4RANGE)), true);
    pub(super) static NUMRANGE: TypeData = data(3906, "numrange", Kind::Range(Type::builtin(&NUMERIC)), true);
    pub(super) static NUMRANGE_ARRAY: TypeData =
        data(3907, "_numrange", Kind::Array(Type::builtin(&NUMRANGE)), true);
    pub(super) static TSRANGE: TypeData = data(3908, "tsrange", Kind::Range(Type::builtin(&TIMESTAMP)), true);
    pub(super) static TSRANGE_ARRAY: TypeData =
        data(3909, "_tsrange", Kind::Array(Type::builtin(&TSRANGE)), true);
    pub(super) static TSTZRANGE: TypeData =
        data(3910, "tstzrange", Kind::Range(Type::builtin(&TIMESTAMPTZ)), true);
    pub(super) static TSTZRANGE_ARRAY: TypeData =
        data(3911, "_tstzrange", Kind::Array(Type::builtin(&TSTZRANGE)), true);
    pub(super) static DATERANGE: TypeData = data(3912, "daterange", Kind::Range(Type::builtin(&DATE)), true);
    pub(super) static DATERANGE_ARRAY: TypeData =
        data(3913, "_daterange", Kind::Array(Type::builtin(&DATERANGE)), true);
    pub(super) static INT8RANGE: TypeData = data(3926, "int8range", Kind::Range(Type::builtin(&INT8)), true);
    pub(super) static INT8RANGE_ARRAY: TypeData =
        data(3927, "_int8range", Kind::Array(Type::builtin(&INT8RANGE)), true);
    pub(super) static JSONPATH: TypeData = data(4072, "jsonpath", Kind::Base, true);
    pub(super) static JSONPATH_ARRAY: TypeData =
        data(4073, "_jsonpath", Kind::Array(Type::builtin(&JSONPATH)), true);
    pub(super) static REGNAMESPACE: TypeData = data(4089, "regnamespace", Kind::Base, true);
    pub(super) static REGNAMESPACE_ARRAY: TypeData =
        data(4090, "_regnamespace", Kind::Array(Type::builtin(&REGNAMESPACE)), true);
    pub(super) static REGROLE: TypeData = data(4096, "regrole", Kind::Base, true);
    pub(super) static REGROLE_ARRAY: TypeData =
        data(4097, "_regrole", Kind::Array(Type::builtin(&REGROLE)), true);
    pub(super) static REGCOLLATION: TypeData = data(4191, "regcollation", Kind::Base, true);
    pub(super) static REGCOLLATION_ARRAY: TypeData =
        data(4192, "_regcollation", Kind::Array(Type::builtin(&REGCOLLATION)), true);
    pub(super) static INT4MULTIRANGE: TypeData =
        data(4451, "int4multirange", Kind::Multirange(Type::builtin(&INT4)), true);
    pub(super) static NUMMULTIRANGE: TypeData =
        data(4532, "nummultirange", Kind::Multirange(Type::builtin(&NUMERIC)), true);
    pub(super) static TSMULTIRANGE: TypeData =
        data(4533, "tsmultirange", Kind::Multirange(Type::builtin(&TIMESTAMP)), true);
    pub(super) static TSTZMULTIRANGE: TypeData =
        data(4534, "tstzmultirange", Kind::Multirange(Type::builtin(&TIMESTAMPTZ)), true);
    pub(super) static DATEMULTIRANGE: TypeData =
        data(4535, "datemultirange", Kind::Multirange(Type::builtin(&DATE)), true);
    pub(super) static INT8MULTIRANGE: TypeData =
        data(4536, "int8multirange", Kind::Multirange(Type::builtin(&INT8)), true);
    pub(super) static ANYMULTIRANGE: TypeData = data(4537, "anymultirange", Kind::Pseudo, false);
    pub(super) static ANYCOMPATIBLEMULTIRANGE: TypeData =
        data(4538, "anycompatiblemultirange", Kind::Pseudo, false);
    pub(super) static PG_BRIN_BLOOM_SUMMARY: TypeData = data(4600, "pg_brin_bloom_summary", Kind::Base, true);
    pub(super) static PG_BRIN_MINMAX_MULTI_SUMMARY: TypeData =
        data(4601, "pg_brin_minmax_multi_summary", Kind::Base, true);
    pub(super) static PG_MCV_LIST: TypeData = data(5017, "pg_mcv_list", Kind::Base, true);
    pub(super) static PG_SNAPSHOT: TypeData = data(5038, "pg_snapshot", Kind::Base, true);
    pub(super) static PG_SNAPSHOT_ARRAY: TypeData =
        data(5039, "_pg_snapshot", Kind::Array(Type::builtin(&PG_SNAPSHOT)), true);
    pub(super) static XID8: TypeData = data(5069, "xid8", Kind::Base, true);
    pub(super) static ANYCOMPATIBLE: TypeData = data(5077, "anycompatible", Kind::Pseudo, false);
    pub(super) static ANYCOMPATIBLEARRAY: TypeData = data(5078, "anycompatiblearray", Kind::Pseudo, true);
    pub(super) static ANYCOMPATIBLENONARRAY: TypeData =
        data(5079, "anycompatiblenonarray", Kind::Pseudo, false);
    pub(super) static ANYCOMPATIBLERANGE: TypeData = data(5080, "anycompatiblerange", Kind::Pseudo, false);
    pub(super) static INT4MULTIRANGE_ARRAY: TypeData =
        data(6150, "_int4multirange", Kind::Array(Type::builtin(&INT4MULTIRANGE)), true);
    pub(super) static NUMMULTIRANGE_ARRAY: TypeData =
        data(6151, "_nummultirange", Kind::Array(Type::builtin(&NUMMULTIRANGE)), true);
    pub(super) static TSMULTIRANGE_ARRAY: TypeData =
        data(6152, "_tsmultirange", Kind::Array(Type::builtin(&TSMULTIRANGE)), true);
    pub(super) static TSTZMULTIRANGE_ARRAY: TypeData =
        data(6153, "_tstzmultirange", Kind::Array(Type::builtin(&TSTZMULTIRANGE)), true);
    pub(super) static DATEMULTIRANGE_ARRAY: TypeData =
        data(6155, "_datemultirange", Kind::Array(Type::builtin(&DATEMULTIRANGE)), true);
    pub(super) static INT8MULTIRANGE_ARRAY: TypeData =
        data(6157, "_int8multirange", Kind::Array(Type::builtin(&INT8MULTIRANGE)), true);
}
