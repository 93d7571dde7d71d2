//! The SQLSTATE codes by their condition names (PostgreSQL manual, "PostgreSQL Error Codes").
//!
//! Made by `codecs/generate/tables` from the file `errcodes.txt` of the server's package; do not edit.

use super::SqlState;

impl SqlState {
    /// `00000`, `successful_completion`.
    pub const SUCCESSFUL_COMPLETION: Self = Self(*b"00000");
    /// `01000`, `warning`.
    pub const WARNING: Self = Self(*b"01000");
    /// `0100C`, `dynamic_result_sets_returned`.
    pub const DYNAMIC_RESULT_SETS_RETURNED: Self = Self(*b"0100C");
    /// `01008`, `implicit_zero_bit_padding`.
    pub const IMPLICIT_ZERO_BIT_PADDING: Self = Self(*b"01008");
    /// `01003`, `null_value_eliminated_in_set_function`.
    pub const NULL_VALUE_ELIMINATED_IN_SET_FUNCTION: Self = Self(*b"01003");
    /// `01007`, `privilege_not_granted`.
    pub const PRIVILEGE_NOT_GRANTED: Self = Self(*b"01007");
    /// `01006`, `privilege_not_revoked`.
    pub const PRIVILEGE_NOT_REVOKED: Self = Self(*b"01006");
    /// `01004`, `string_data_right_truncation`.
    pub const WARNING_STRING_DATA_RIGHT_TRUNCATION: Self = Self(*b"01004");
    /// `01P01`, `deprecated_feature`.
    pub const DEPRECATED_FEATURE: Self = Self(*b"01P01");
    /// `02000`, `no_data`.
    pub const NO_DATA: Self = Self(*b"02000");
    /// `02001`, `no_additional_dynamic_result_sets_returned`.
    pub const NO_ADDITIONAL_DYNAMIC_RESULT_SETS_RETURNED: Self = Self(*b"02001");
    /// `03000`, `sql_statement_not_yet_complete`.
    pub const SQL_STATEMENT_NOT_YET_COMPLETE: Self = Self(*b"03000");
    /// `08000`, `connection_exception`.
    pub const CONNECTION_EXCEPTION: Self = Self(*b"08000");
    /// `08003`, `connection_does_not_exist`.
    pub const CONNECTION_DOES_NOT_EXIST: Self = Self(*b"08003");
    /// `08006`, `connection_failure`.
    pub const CONNECTION_FAILURE: Self = Self(*b"08006");
    /// `08001`, `sqlclient_unable_to_establish_sqlconnection`.
    pub const SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION: Self = Self(*b"08001");
    /// `08004`, `sqlserver_rejected_establishment_of_sqlconnection`.
    pub const SQLSERVER_REJECTED_ESTABLISHMENT_OF_SQLCONNECTION: Self = Self(*b"08004");
    /// `08007`, `transaction_resolution_unknown`.
    pub const TRANSACTION_RESOLUTION_UNKNOWN: Self = Self(*b"08007");
    /// `08P01`, `protocol_violation`.
    pub const PROTOCOL_VIOLATION: Self = Self(*b"08P01");
    /// `09000`, `triggered_action_exception`.
    pub const TRIGGERED_ACTION_EXCEPTION: Self = Self(*b"09000");
    /// `0A000`, `feature_not_supported`.
    pub const FEATURE_NOT_SUPPORTED: Self = Self(*b"0A000");
    /// `0B000`, `invalid_transaction_initiation`.
    pub const INVALID_TRANSACTION_INITIATION: Self = Self(*b"0B000");
    /// `0F000`, `locator_exception`.
    pub const LOCATOR_EXCEPTION: Self = Self(*b"0F000");
    /// `0F001`, `invalid_locator_specification`.
    pub const INVALID_LOCATOR_SPECIFICATION: Self = Self(*b"0F001");
    /// `0L000`, `invalid_grantor`.
    pub const INVALID_GRANTOR: Self = Self(*b"0L000");
    /// `0LP01`, `invalid_grant_operation`.
    pub const INVALID_GRANT_OPERATION: Self = Self(*b"0LP01");
    /// `0P000`, `invalid_role_specification`.
    pub const INVALID_ROLE_SPECIFICATION: Self = Self(*b"0P000");
    /// `0Z000`, `diagnostics_exception`.
    pub const DIAGNOSTICS_EXCEPTION: Self = Self(*b"0Z000");
    /// `0Z002`, `stacked_diagnostics_accessed_without_active_handler`.
    pub const STACKED_DIAGNOSTICS_ACCESSED_WITHOUT_ACTIVE_HANDLER: Self = Self(*b"0Z002");
    /// `20000`, `case_not_found`.
    pub const CASE_NOT_FOUND: Self = Self(*b"20000");
    /// `21000`, `cardinality_violation`.
    pub const CARDINALITY_VIOLATION: Self = Self(*b"21000");
    /// `22000`, `data_exception`.
    pub const DATA_EXCEPTION: Self = Self(*b"22000");
    /// `2202E`, by another name.
    pub const ARRAY_ELEMENT_ERROR: Self = Self(*b"2202E");
    /// `2202E`, `array_subscript_error`.
    pub const ARRAY_SUBSCRIPT_ERROR: Self = Self(*b"2202E");
    /// `22021`, `character_not_in_repertoire`.
    pub const CHARACTER_NOT_IN_REPERTOIRE: Self = Self(*b"22021");
    /// `22008`, `datetime_field_overflow`.
    pub const DATETIME_FIELD_OVERFLOW: Self = Self(*b"22008");
    /// `22008`, by another name.
    pub const DATETIME_VALUE_OUT_OF_RANGE: Self = Self(*b"22008");
    /// `22012`, `division_by_zero`.
    pub const DIVISION_BY_ZERO: Self = Self(*b"22012");
    /// `22005`, `error_in_assignment`.
    pub const ERROR_IN_ASSIGNMENT: Self = Self(*b"22005");
    /// `2200B`, `escape_character_conflict`.
    pub const ESCAPE_CHARACTER_CONFLICT: Self = Self(*b"2200B");
    /// `22022`, `indicator_overflow`.
    pub const INDICATOR_OVERFLOW: Self = Self(*b"22022");
    /// `22015`, `interval_field_overflow`.
    pub const INTERVAL_FIELD_OVERFLOW: Self = Self(*b"22015");
    /// `2201E`, `invalid_argument_for_logarithm`.
    pub const INVALID_ARGUMENT_FOR_LOGARITHM: Self = Self(*b"2201E");
    /// `22014`, `invalid_argument_for_ntile_function`.
    pub const INVALID_ARGUMENT_FOR_NTILE_FUNCTION: Self = Self(*b"22014");
    /// `22016`, `invalid_argument_for_nth_value_function`.
    pub const INVALID_ARGUMENT_FOR_NTH_VALUE_FUNCTION: Self = Self(*b"22016");
    /// `2201F`, `invalid_argument_for_power_function`.
    pub const INVALID_ARGUMENT_FOR_POWER_FUNCTION: Self = Self(*b"2201F");
    /// `2201G`, `invalid_argument_for_width_bucket_function`.
    pub const INVALID_ARGUMENT_FOR_WIDTH_BUCKET_FUNCTION: Self = Self(*b"2201G");
    /// `22018`, `invalid_character_value_for_cast`.
    pub const INVALID_CHARACTER_VALUE_FOR_CAST: Self = Self(*b"22018");
    /// `22007`, `invalid_datetime_format`.
    pub const INVALID_DATETIME_FORMAT: Self = Self(*b"22007");
    /// `22019`, `invalid_escape_character`.
    pub const INVALID_ESCAPE_CHARACTER: Self = Self(*b"22019");
    /// `2200D`, `invalid_escape_octet`.
    pub const INVALID_ESCAPE_OCTET: Self = Self(*b"2200D");
    /// `22025`, `invalid_escape_sequence`.
    pub const INVALID_ESCAPE_SEQUENCE: Self = Self(*b"22025");
    /// `22P06`, `nonstandard_use_of_escape_character`.
    pub const NONSTANDARD_USE_OF_ESCAPE_CHARACTER: Self = Self(*b"22P06");
    /// `22010`, `invalid_indicator_parameter_value`.
    pub const INVALID_INDICATOR_PARAMETER_VALUE: Self = Self(*b"22010");
    /// `22023`, `invalid_parameter_value`.
    pub const INVALID_PARAMETER_VALUE: Self = Self(*b"22023");
    /// `22013`, `invalid_preceding_or_following_size`.
    pub const INVALID_PRECEDING_OR_FOLLOWING_SIZE: Self = Self(*b"22013");
    /// `2201B`, `invalid_regular_expression`.
    pub const INVALID_REGULAR_EXPRESSION: Self = Self(*b"2201B");
    /// `2201W`, `invalid_row_count_in_limit_clause`.
    pub const INVALID_ROW_COUNT_IN_LIMIT_CLAUSE: Self = Self(*b"2201W");
    /// `2201X`, `invalid_row_count_in_result_offset_clause`.
    pub const INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE: Self = Self(*b"2201X");
    /// `2202H`, `invalid_tablesample_argument`.
    pub const INVALID_TABLESAMPLE_ARGUMENT: Self = Self(*b"2202H");
    /// `2202G`, `invalid_tablesample_repeat`.
    pub const INVALID_TABLESAMPLE_REPEAT: Self = Self(*b"2202G");
    /// `22009`, `invalid_time_zone_displacement_value`.
    pub const INVALID_TIME_ZONE_DISPLACEMENT_VALUE: Self = Self(*b"22009");
    /// `2200C`, `invalid_use_of_escape_character`.
    pub const INVALID_USE_OF_ESCAPE_CHARACTER: Self = Self(*b"2200C");
    /// `2200G`, `most_specific_type_mismatch`.
    pub const MOST_SPECIFIC_TYPE_MISMATCH: Self = Self(*b"2200G");
    /// `22004`, `null_value_not_allowed`.
    pub const NULL_VALUE_NOT_ALLOWED: Self = Self(*b"22004");
    /// `22002`, `null_value_no_indicator_parameter`.
    pub const NULL_VALUE_NO_INDICATOR_PARAMETER: Self = Self(*b"22002");
    /// `22003`, `numeric_value_out_of_range`.
    pub const NUMERIC_VALUE_OUT_OF_RANGE: Self = Self(*b"22003");
    /// `2200H`, `sequence_generator_limit_exceeded`.
    pub const SEQUENCE_GENERATOR_LIMIT_EXCEEDED: Self = Self(*b"2200H");
    /// `22026`, `string_data_length_mismatch`.
    pub const STRING_DATA_LENGTH_MISMATCH: Self = Self(*b"22026");
    /// `22001`, `string_data_right_truncation`.
    pub const STRING_DATA_RIGHT_TRUNCATION: Self = Self(*b"22001");
    /// `22011`, `substring_error`.
    pub const SUBSTRING_ERROR: Self = Self(*b"22011");
    /// `22027`, `trim_error`.
    pub const TRIM_ERROR: Self = Self(*b"22027");
    /// `22024`, `unterminated_c_string`.
    pub const UNTERMINATED_C_STRING: Self = Self(*b"22024");
    /// `2200F`, `zero_length_character_string`.
    pub const ZERO_LENGTH_CHARACTER_STRING: Self = Self(*b"2200F");
    /// `22P01`, `floating_point_exception`.
    pub const FLOATING_POINT_EXCEPTION: Self = Self(*b"22P01");
    /// `22P02`, `invalid_text_representation`.
    pub const INVALID_TEXT_REPRESENTATION: Self = Self(*b"22P02");
    /// `22P03`, `invalid_binary_representation`.
    pub const INVALID_BINARY_REPRESENTATION: Self = Self(*b"22P03");
    /// `22P04`, `bad_copy_file_format`.
    pub const BAD_COPY_FILE_FORMAT: Self = Self(*b"22P04");
    /// `22P05`, `untranslatable_character`.
    pub const UNTRANSLATABLE_CHARACTER: Self = Self(*b"22P05");
    /// `2200L`, `not_an_xml_document`.
    pub const NOT_AN_XML_DOCUMENT: Self = Self(*b"2200L");
    /// `2200M`, `invalid_xml_document`.
    pub const INVALID_XML_DOCUMENT: Self = Self(*b"2200M");
    /// `2200N`, `invalid_xml_content`.
    pub const INVALID_XML_CONTENT: Self = Self(*b"2200N");
    /// `2200S`, `invalid_xml_comment`.
    pub const INVALID_XML_COMMENT: Self = Self(*b"2200S");
    /// `2200T`, `invalid_xml_processing_instruction`.
    pub const INVALID_XML_PROCESSING_INSTRUCTION: Self = Self(*b"2200T");
    /// `22030`, `duplicate_json_object_key_value`.
    pub const DUPLICATE_JSON_OBJECT_KEY_VALUE: Self = Self(*b"22030");
    /// `22031`, `invalid_argument_for_sql_json_datetime_function`.
    pub const INVALID_ARGUMENT_FOR_SQL_JSON_DATETIME_FUNCTION: Self = Self(*b"22031");
    /// `22032`, `invalid_json_text`.
    pub const INVALID_JSON_TEXT: Self = Self(*b"22032");
    /// `22033`, `invalid_sql_json_subscript`.
    pub const INVALID_SQL_JSON_SUBSCRIPT: Self = Self(*b"22033");
    /// `22034`, `more_than_one_sql_json_item`.
    pub const MORE_THAN_ONE_SQL_JSON_ITEM: Self = Self(*b"22034");
    /// `22035`, `no_sql_json_item`.
    pub const NO_SQL_JSON_ITEM: Self = Self(*b"22035");
    /// `22036`, `non_numeric_sql_json_item`.
    pub const NON_NUMERIC_SQL_JSON_ITEM: Self = Self(*b"22036");
    /// `22037`, `non_unique_keys_in_a_json_object`.
    pub const NON_UNIQUE_KEYS_IN_A_JSON_OBJECT: Self = Self(*b"22037");
    /// `22038`, `singleton_sql_json_item_required`.
    pub const SINGLETON_SQL_JSON_ITEM_REQUIRED: Self = Self(*b"22038");
    /// `22039`, `sql_json_array_not_found`.
    pub const SQL_JSON_ARRAY_NOT_FOUND: Self = Self(*b"22039");
    /// `2203A`, `sql_json_member_not_found`.
    pub const SQL_JSON_MEMBER_NOT_FOUND: Self = Self(*b"2203A");
    /// `2203B`, `sql_json_number_not_found`.
    pub const SQL_JSON_NUMBER_NOT_FOUND: Self = Self(*b"2203B");
    /// `2203C`, `sql_json_object_not_found`.
    pub const SQL_JSON_OBJECT_NOT_FOUND: Self = Self(*b"2203C");
    /// `2203D`, `too_many_json_array_elements`.
    pub const TOO_MANY_JSON_ARRAY_ELEMENTS: Self = Self(*b"2203D");
    /// `2203E`, `too_many_json_object_members`.
    pub const TOO_MANY_JSON_OBJECT_MEMBERS: Self = Self(*b"2203E");
    /// `2203F`, `sql_json_scalar_required`.
    pub const SQL_JSON_SCALAR_REQUIRED: Self = Self(*b"2203F");
    /// `2203G`, `sql_json_item_cannot_be_cast_to_target_type`.
    pub const SQL_JSON_ITEM_CANNOT_BE_CAST_TO_TARGET_TYPE: Self = Self(*b"2203G");
    /// `23000`, `integrity_constraint_violation`.
    pub const INTEGRITY_CONSTRAINT_VIOLATION: Self = Self(*b"23000");
    /// `23001`, `restrict_violation`.
    pub const RESTRICT_VIOLATION: Self = Self(*b"23001");
    /// `23502`, `not_null_violation`.
    pub const NOT_NULL_VIOLATION: Self = Self(*b"23502");
    /// `23503`, `foreign_key_violation`.
    pub const FOREIGN_KEY_VIOLATION: Self = Self(*b"23503");
    /// `23505`, `unique_violation`.
    pub const UNIQUE_VIOLATION: Self = Self(*b"23505");
    /// `23514`, `check_violation`.
    pub const CHECK_VIOLATION: Self = Self(*b"23514");
    /// `23P01`, `exclusion_violation`.
    pub const EXCLUSION_VIOLATION: Self = Self(*b"23P01");
    /// `24000`, `invalid_cursor_state`.
    pub const INVALID_CURSOR_STATE: Self = Self(*b"24000");
    /// `25000`, `invalid_transaction_state`.
    pub const INVALID_TRANSACTION_STATE: Self = Self(*b"25000");
    /// `25001`, `active_sql_transaction`.
    pub const ACTIVE_SQL_TRANSACTION: Self = Self(*b"25001");
    /// `25002`, `branch_transaction_already_active`.
    pub const BRANCH_TRANSACTION_ALREADY_ACTIVE: Self = Self(*b"25002");
    /// `25008`, `held_cursor_requires_same_isolation_level`.
    pub const HELD_CURSOR_REQUIRES_SAME_ISOLATION_LEVEL: Self = Self(*b"25008");
    /// `25003`, `inappropriate_access_mode_for_branch_transaction`.
    pub const INAPPROPRIATE_ACCESS_MODE_FOR_BRANCH_TRANSACTION: Self = Self(*b"25003");
    /// `25004`, `inappropriate_isolation_level_for_branch_transaction`.
    pub const INAPPROPRIATE_ISOLATION_LEVEL_FOR_BRANCH_TRANSACTION: Self = Self(*b"25004");
    /// `25005`, `no_active_sql_transaction_for_branch_transaction`.
    pub const NO_ACTIVE_SQL_TRANSACTION_FOR_BRANCH_TRANSACTION: Self = Self(*b"25005");
    /// `25006`, `read_only_sql_transaction`.
    pub const READ_ONLY_SQL_TRANSACTION: Self = Self(*b"25006");
    /// `25007`, `schema_and_data_statement_mixing_not_supported`.
    pub const SCHEMA_AND_DATA_STATEMENT_MIXING_NOT_SUPPORTED: Self = Self(*b"25007");
    /// `25P01`, `no_active_sql_transaction`.
    pub const NO_ACTIVE_SQL_TRANSACTION: Self = Self(*b"25P01");
    /// `25P02`, `in_failed_sql_transaction`.
    pub const IN_FAILED_SQL_TRANSACTION: Self = Self(*b"25P02");
    /// `25P03`, `idle_in_transaction_session_timeout`.
    pub const IDLE_IN_TRANSACTION_SESSION_TIMEOUT: Self = Self(*b"25P03");
    /// `26000`, `invalid_sql_statement_name`.
    pub const INVALID_SQL_STATEMENT_NAME: Self = Self(*b"26000");
    /// `27000`, `triggered_data_change_violation`.
    pub const TRIGGERED_DATA_CHANGE_VIOLATION: Self = Self(*b"27000");
    /// `28000`, `invalid_authorization_specification`.
    pub const INVALID_AUTHORIZATION_SPECIFICATION: Self = Self(*b"28000");
    /// `28P01`, `invalid_password`.
    pub const INVALID_PASSWORD: Self = Self(*b"28P01");
    /// `2B000`, `dependent_privilege_descriptors_still_exist`.
    pub const DEPENDENT_PRIVILEGE_DESCRIPTORS_STILL_EXIST: Self = Self(*b"2B000");
    /// `2BP01`, `dependent_objects_still_exist`.
    pub const DEPENDENT_OBJECTS_STILL_EXIST: Self = Self(*b"2BP01");
    /// `2D000`, `invalid_transaction_termination`.
    pub const INVALID_TRANSACTION_TERMINATION: Self = Self(*b"2D000");
    /// `2F000`, `sql_routine_exception`.
    pub const SQL_ROUTINE_EXCEPTION: Self = Self(*b"2F000");
    /// `2F005`, `function_executed_no_return_statement`.
    pub const FUNCTION_EXECUTED_NO_RETURN_STATEMENT: Self = Self(*b"2F005");
    /// `2F002`, `modifying_sql_data_not_permitted`.
    pub const SQL_ROUTINE_MODIFYING_SQL_DATA_NOT_PERMITTED: Self = Self(*b"2F002");
    /// `2F003`, `prohibited_sql_statement_attempted`.
    pub const SQL_ROUTINE_PROHIBITED_SQL_STATEMENT_ATTEMPTED: Self = Self(*b"2F003");
    /// `2F004`, `reading_sql_data_not_permitted`.
    pub const SQL_ROUTINE_READING_SQL_DATA_NOT_PERMITTED: Self = Self(*b"2F004");
    /// `34000`, `invalid_cursor_name`.
    pub const INVALID_CURSOR_NAME: Self = Self(*b"34000");
    /// `38000`, `external_routine_exception`.
    pub const EXTERNAL_ROUTINE_EXCEPTION: Self = Self(*b"38000");
    /// `38001`, `containing_sql_not_permitted`.
    pub const CONTAINING_SQL_NOT_PERMITTED: Self = Self(*b"38001");
    /// `38002`, `modifying_sql_data_not_permitted`.
    pub const EXTERNAL_ROUTINE_MODIFYING_SQL_DATA_NOT_PERMITTED: Self = Self(*b"38002");
    /// `38003`, `prohibited_sql_statement_attempted`.
    pub const EXTERNAL_ROUTINE_PROHIBITED_SQL_STATEMENT_ATTEMPTED: Self = Self(*b"38003");
    /// `38004`, `reading_sql_data_not_permitted`.
    pub const EXTERNAL_ROUTINE_READING_SQL_DATA_NOT_PERMITTED: Self = Self(*b"38004");
    /// `39000`, `external_routine_invocation_exception`.
    pub const EXTERNAL_ROUTINE_INVOCATION_EXCEPTION: Self = Self(*b"39000");
    /// `39001`, `invalid_sqlstate_returned`.
    pub const INVALID_SQLSTATE_RETURNED: Self = Self(*b"39001");
    /// `39004`, `null_value_not_allowed`.
    pub const EXTERNAL_ROUTINE_INVOCATION_NULL_VALUE_NOT_ALLOWED: Self = Self(*b"39004");
    /// `39P01`, `trigger_protocol_violated`.
    pub const TRIGGER_PROTOCOL_VIOLATED: Self = Self(*b"39P01");
    /// `39P02`, `srf_protocol_violated`.
    pub const SRF_PROTOCOL_VIOLATED: Self = Self(*b"39P02");
    /// `39P03`, `event_trigger_protocol_violated`.
    pub const EVENT_TRIGGER_PROTOCOL_VIOLATED: Self = Self(*b"39P03");
    /// `3B000`, `savepoint_exception`.
    pub const SAVEPOINT_EXCEPTION: Self = Self(*b"3B000");
    /// `3B001`, `invalid_savepoint_specification`.
    pub const INVALID_SAVEPOINT_SPECIFICATION: Self = Self(*b"3B001");
    /// `3D000`, `invalid_catalog_name`.
    pub const INVALID_CATALOG_NAME: Self = Self(*b"3D000");
    /// `3F000`, `invalid_schema_name`.
    pub const INVALID_SCHEMA_NAME: Self = Self(*b"3F000");
    /// `40000`, `transaction_rollback`.
    pub const TRANSACTION_ROLLBACK: Self = Self(*b"40000");
    /// `40002`, `transaction_integrity_constraint_violation`.
    pub const TRANSACTION_INTEGRITY_CONSTRAINT_VIOLATION: Self = Self(*b"40002");
    /// `40001`, `serialization_failure`.
    pub const SERIALIZATION_FAILURE: Self = Self(*b"40001");
    /// `40003`, `statement_completion_unknown`.
    pub const STATEMENT_COMPLETION_UNKNOWN: Self = Self(*b"40003");
    /// `40P01`, `deadlock_detected`.
    pub const DEADLOCK_DETECTED: Self = Self(*b"40P01");
    /// `42000`, `syntax_error_or_access_rule_violation`.
    pub const SYNTAX_ERROR_OR_ACCESS_RULE_VIOLATION: Self = Self(*b"42000");
    /// `42601`, `syntax_error`.
    pub const SYNTAX_ERROR: Self = Self(*b"42601");
    /// `42501`, `insufficient_privilege`.
    pub const INSUFFICIENT_PRIVILEGE: Self = Self(*b"42501");
    /// `42846`, `cannot_coerce`.
    pub const CANNOT_COERCE: Self = Self(*b"42846");
    /// `42803`, `grouping_error`.
    pub const GROUPING_ERROR: Self = Self(*b"42803");
    /// `42P20`, `windowing_error`.
    pub const WINDOWING_ERROR: Self = Self(*b"42P20");
    /// `42P19`, `invalid_recursion`.
    pub const INVALID_RECURSION: Self = Self(*b"42P19");
    /// `42830`, `invalid_foreign_key`.
    pub const INVALID_FOREIGN_KEY: Self = Self(*b"42830");
    /// `42602`, `invalid_name`.
    pub const INVALID_NAME: Self = Self(*b"42602");
    /// `42622`, `name_too_long`.
    pub const NAME_TOO_LONG: Self = Self(*b"42622");
    /// `42939`, `reserved_name`.
    pub const RESERVED_NAME: Self = Self(*b"42939");
    /// `42804`, `datatype_mismatch`.
    pub const DATATYPE_MISMATCH: Self = Self(*b"42804");
    /// `42P18`, `indeterminate_datatype`.
    pub const INDETERMINATE_DATATYPE: Self = Self(*b"42P18");
    /// `42P21`, `collation_mismatch`.
    pub const COLLATION_MISMATCH: Self = Self(*b"42P21");
    /// `42P22`, `indeterminate_collation`.
    pub const INDETERMINATE_COLLATION: Self = Self(*b"42P22");
    /// `42809`, `wrong_object_type`.
    pub const WRONG_OBJECT_TYPE: Self = Self(*b"42809");
    /// `428C9`, `generated_always`.
    pub const GENERATED_ALWAYS: Self = Self(*b"428C9");
    /// `42703`, `undefined_column`.
    pub const UNDEFINED_COLUMN: Self = Self(*b"42703");
    /// `34000`, by another name.
    pub const UNDEFINED_CURSOR: Self = Self(*b"34000");
    /// `3D000`, by another name.
    pub const UNDEFINED_DATABASE: Self = Self(*b"3D000");
    /// `42883`, `undefined_function`.
    pub const UNDEFINED_FUNCTION: Self = Self(*b"42883");
    /// `26000`, by another name.
    pub const UNDEFINED_PSTATEMENT: Self = Self(*b"26000");
    /// `3F000`, by another name.
    pub const UNDEFINED_SCHEMA: Self = Self(*b"3F000");
    /// `42P01`, `undefined_table`.
    pub const UNDEFINED_TABLE: Self = Self(*b"42P01");
    /// `42P02`, `undefined_parameter`.
    pub const UNDEFINED_PARAMETER: Self = Self(*b"42P02");
    /// `42704`, `undefined_object`.
    pub const UNDEFINED_OBJECT: Self = Self(*b"42704");
    /// `42701`, `duplicate_column`.
    pub const DUPLICATE_COLUMN: Self = Self(*b"42701");
    /// `42P03`, `duplicate_cursor`.
    pub const DUPLICATE_CURSOR: Self = Self(*b"42P03");
    /// `42P04`, `duplicate_database`.
    pub const DUPLICATE_DATABASE: Self = Self(*b"42P04");
    /// `42723`, `duplicate_function`.
    pub const DUPLICATE_FUNCTION: Self = Self(*b"42723");
    /// `42P05`, `duplicate_prepared_statement`.
    pub const DUPLICATE_PREPARED_STATEMENT: Self = Self(*b"42P05");
    /// `42P06`, `duplicate_schema`.
    pub const DUPLICATE_SCHEMA: Self = Self(*b"42P06");
    /// `42P07`, `duplicate_table`.
    pub const DUPLICATE_TABLE: Self = Self(*b"42P07");
    /// `42712`, `duplicate_alias`.
    pub const DUPLICATE_ALIAS: Self = Self(*b"42712");
    /// `42710`, `duplicate_object`.
    pub const DUPLICATE_OBJECT: Self = Self(*b"42710");
    /// `42702`, `ambiguous_column`.
    pub const AMBIGUOUS_COLUMN: Self = Self(*b"42702");
    /// `42725`, `ambiguous_function`.
    pub const AMBIGUOUS_FUNCTION: Self = Self(*b"42725");
    /// `42P08`, `ambiguous_parameter`.
    pub const AMBIGUOUS_PARAMETER: Self = Self(*b"42P08");
    /// `42P09`, `ambiguous_alias`.
    pub const AMBIGUOUS_ALIAS: Self = Self(*b"42P09");
    /// `42P10`, `invalid_column_reference`.
    pub const INVALID_COLUMN_REFERENCE: Self = Self(*b"42P10");
    /// `42611`, `invalid_column_definition`.
    pub const INVALID_COLUMN_DEFINITION: Self = Self(*b"42611");
    /// `42P11`, `invalid_cursor_definition`.
    pub const INVALID_CURSOR_DEFINITION: Self = Self(*b"42P11");
    /// `42P12`, `invalid_database_definition`.
    pub const INVALID_DATABASE_DEFINITION: Self = Self(*b"42P12");
    /// `42P13`, `invalid_function_definition`.
    pub const INVALID_FUNCTION_DEFINITION: Self = Self(*b"42P13");
    /// `42P14`, `invalid_prepared_statement_definition`.
    pub const INVALID_PREPARED_STATEMENT_DEFINITION: Self = Self(*b"42P14");
    /// `42P15`, `invalid_schema_definition`.
    pub const INVALID_SCHEMA_DEFINITION: Self = Self(*b"42P15");
    /// `42P16`, `invalid_table_definition`.
    pub const INVALID_TABLE_DEFINITION: Self = Self(*b"42P16");
    /// `42P17`, `invalid_object_definition`.
    pub const INVALID_OBJECT_DEFINITION: Self = Self(*b"42P17");
    /// `44000`, `with_check_option_violation`.
    pub const WITH_CHECK_OPTION_VIOLATION: Self = Self(*b"44000");
    /// `53000`, `insufficient_resources`.
    pub const INSUFFICIENT_RESOURCES: Self = Self(*b"53000");
    /// `53100`, `disk_full`.
    pub const DISK_FULL: Self = Self(*b"53100");
    /// `53200`, `out_of_memory`.
    pub const OUT_OF_MEMORY: Self = Self(*b"53200");
    /// `53300`, `too_many_connections`.
    pub const TOO_MANY_CONNECTIONS: Self = Self(*b"53300");
    /// `53400`, `configuration_limit_exceeded`.
    pub const CONFIGURATION_LIMIT_EXCEEDED: Self = Self(*b"53400");
    /// `54000`, `program_limit_exceeded`.
    pub const PROGRAM_LIMIT_EXCEEDED: Self = Self(*b"54000");
    /// `54001`, `statement_too_complex`.
    pub const STATEMENT_TOO_COMPLEX: Self = Self(*b"54001");
    /// `54011`, `too_many_columns`.
    pub const TOO_MANY_COLUMNS: Self = Self(*b"54011");
    /// `54023`, `too_many_arguments`.
    pub const TOO_MANY_ARGUMENTS: Self = Self(*b"54023");
    /// `55000`, `object_not_in_prerequisite_state`.
    pub const OBJECT_NOT_IN_PREREQUISITE_STATE: Self = Self(*b"55000");
    /// `55006`, `object_in_use`.
    pub const OBJECT_IN_USE: Self = Self(*b"55006");
    /// `55P02`, `cant_change_runtime_param`.
    pub const CANT_CHANGE_RUNTIME_PARAM: Self = Self(*b"55P02");
    /// `55P03`, `lock_not_available`.
    pub const LOCK_NOT_AVAILABLE: Self = Self(*b"55P03");
    /// `55P04`, `unsafe_new_enum_value_usage`.
    pub const UNSAFE_NEW_ENUM_VALUE_USAGE: Self = Self(*b"55P04");
    /// `57000`, `operator_intervention`.
    pub const OPERATOR_INTERVENTION: Self = Self(*b"57000");
    /// `57014`, `query_canceled`.
    pub const QUERY_CANCELED: Self = Self(*b"57014");
    /// `57P01`, `admin_shutdown`.
    pub const ADMIN_SHUTDOWN: Self = Self(*b"57P01");
    /// `57P02`, `crash_shutdown`.
    pub const CRASH_SHUTDOWN: Self = Self(*b"57P02");
    /// `57P03`, `cannot_connect_now`.
    pub const CANNOT_CONNECT_NOW: Self = Self(*b"57P03");
    /// `57P04`, `database_dropped`.
    pub const DATABASE_DROPPED: Self = Self(*b"57P04");
    /// `57P05`, `idle_session_timeout`.
    pub const IDLE_SESSION_TIMEOUT: Self = Self(*b"57P05");
    /// `58000`, `system_error`.
    pub const SYSTEM_ERROR: Self = Self(*b"58000");
    /// `58030`, `io_error`.
    pub const IO_ERROR: Self = Self(*b"58030");
    /// `58P01`, `undefined_file`.
    pub const UNDEFINED_FILE: Self = Self(*b"58P01");
    /// `58P02`, `duplicate_file`.
    pub const DUPLICATE_FILE: Self = Self(*b"58P02");
    /// `72000`, `snapshot_too_old`.
    pub const SNAPSHOT_TOO_OLD: Self = Self(*b"72000");
    /// `F0000`, `config_file_error`.
    pub const CONFIG_FILE_ERROR: Self = Self(*b"F0000");
    /// `F0001`, `lock_file_exists`.
    pub const LOCK_FILE_EXISTS: Self = Self(*b"F0001");
    /// `HV000`, `fdw_error`.
    pub const FDW_ERROR: Self = Self(*b"HV000");
    /// `HV005`, `fdw_column_name_not_found`.
    pub const FDW_COLUMN_NAME_NOT_FOUND: Self = Self(*b"HV005");
    /// `HV002`, `fdw_dynamic_parameter_value_needed`.
    pub const FDW_DYNAMIC_PARAMETER_VALUE_NEEDED: Self = Self(*b"HV002");
    /// `HV010`, `fdw_function_sequence_error`.
    pub const FDW_FUNCTION_SEQUENCE_ERROR: Self = Self(*b"HV010");
    /// `HV021`, `fdw_inconsistent_descriptor_information`.
    pub const FDW_INCONSISTENT_DESCRIPTOR_INFORMATION: Self = Self(*b"HV021");
    /// `HV024`, `fdw_invalid_attribute_value`.
    pub const FDW_INVALID_ATTRIBUTE_VALUE: Self = Self(*b"HV024");
    /// `HV007`, `fdw_invalid_column_name`.
    pub const FDW_INVALID_COLUMN_NAME: Self = Self(*b"HV007");
    /// `HV008`, `fdw_invalid_column_number`.
    pub const FDW_INVALID_COLUMN_NUMBER: Self = Self(*b"HV008");
    /// `HV004`, `fdw_invalid_data_type`.
    pub const FDW_INVALID_DATA_TYPE: Self = Self(*b"HV004");
    /// `HV006`, `fdw_invalid_data_type_descriptors`.
    pub const FDW_INVALID_DATA_TYPE_DESCRIPTORS: Self = Self(*b"HV006");
    /// `HV091`, `fdw_invalid_descriptor_field_identifier`.
    pub const FDW_INVALID_DESCRIPTOR_FIELD_IDENTIFIER: Self = Self(*b"HV091");
    /// `HV00B`, `fdw_invalid_handle`.
    pub const FDW_INVALID_HANDLE: Self = Self(*b"HV00B");
    /// `HV00C`, `fdw_invalid_option_index`.
    pub const FDW_INVALID_OPTION_INDEX: Self = Self(*b"HV00C");
    /// `HV00D`, `fdw_invalid_option_name`.
    pub const FDW_INVALID_OPTION_NAME: Self = Self(*b"HV00D");
    /// `HV090`, `fdw_invalid_string_length_or_buffer_length`.
    pub const FDW_INVALID_STRING_LENGTH_OR_BUFFER_LENGTH: Self = Self(*b"HV090");
    /// `HV00A`, `fdw_invalid_string_format`.
    pub const FDW_INVALID_STRING_FORMAT: Self = Self(*b"HV00A");
    /// `HV009`, `fdw_invalid_use_of_null_pointer`.
    pub const FDW_INVALID_USE_OF_NULL_POINTER: Self = Self(*b"HV009");
    /// `HV014`, `fdw_too_many_handles`.
    pub const FDW_TOO_MANY_HANDLES: Self = Self(*b"HV014");
    /// `HV001`, `fdw_out_of_memory`.
    pub const FDW_OUT_OF_MEMORY: Self = Self(*b"HV001");
    /// `HV00P`, `fdw_no_schemas`.
    pub const FDW_NO_SCHEMAS: Self = Self(*b"HV00P");
    /// `HV00J`, `fdw_option_name_not_found`.
    pub const FDW_OPTION_NAME_NOT_FOUND: Self = Self(*b"HV00J");
    /// `HV00K`, `fdw_reply_handle`.
    pub const FDW_REPLY_HANDLE: Self = Self(*b"HV00K");
    /// `HV00Q`, `fdw_schema_not_found`.
    pub const FDW_SCHEMA_NOT_FOUND: Self = Self(*b"HV00Q");
    /// `HV00R`, `fdw_table_not_found`.
    pub const FDW_TABLE_NOT_FOUND: Self = Self(*b"HV00R");
    /// `HV00L`, `fdw_unable_to_create_execution`.
    pub const FDW_UNABLE_TO_CREATE_EXECUTION: Self = Self(*b"HV00L");
    /// `HV00M`, `fdw_unable_to_create_reply`.
    pub const FDW_UNABLE_TO_CREATE_REPLY: Self = Self(*b"HV00M");
    /// `HV00N`, `fdw_unable_to_establish_connection`.
    pub const FDW_UNABLE_TO_ESTABLISH_CONNECTION: Self = Self(*b"HV00N");
    /// `P0000`, `plpgsql_error`.
    pub const PLPGSQL_ERROR: Self = Self(*b"P0000");
    /// `P0001`, `raise_exception`.
    pub const RAISE_EXCEPTION: Self = Self(*b"P0001");
    /// `P0002`, `no_data_found`.
    pub const NO_DATA_FOUND: Self = Self(*b"P0002");
    /// `P0003`, `too_many_rows`.
    pub const TOO_MANY_ROWS: Self = Self(*b"P0003");
    /// `P0004`, `assert_failure`.
    pub const ASSERT_FAILURE: Self = Self(*b"P0004");
    /// `XX000`, `internal_error`.
    pub const INTERNAL_ERROR: Self = Self(*b"XX000");
    /// `XX001`, `data_corrupted`.
    pub const DATA_CORRUPTED: Self = Self(*b"XX001");
    /// `XX002`, `index_corrupted`.
    pub const INDEX_CORRUPTED: Self = Self(*b"XX002");
}

/// The codes in order, each with its condition name.
pub(super) static NAMES: [([u8; 5], &str); 260] = [
    (*b"00000", "successful_completion"),
    (*b"01000", "warning"),
    (*b"01003", "null_value_eliminated_in_set_function"),
    (*b"01004", "string_data_right_truncation"),
    (*b"01006", "privilege_not_revoked"),
    (*b"01007", "privilege_not_granted"),
    (*b"01008", "implicit_zero_bit_padding"),
    (*b"0100C", "dynamic_result_sets_returned"),
    (*b"01P01", "deprecated_feature"),
    (*b"02000", "no_data"),
    (*b"02001", "no_additional_dynamic_result_sets_returned"),
    (*b"03000", "sql_statement_not_yet_complete"),
    (*b"08000", "connection_exception"),
    (*b"08001", "sqlclient_unable_to_establish_sqlconnection"),
    (*b"08003", "connection_does_not_exist"),
    (*b"08004", "sqlserver_rejected_establishment_of_sqlconnection"),
    (*b"08006", "connection_failure"),
    (*b"08007", "transaction_resolution_unknown"),
    (*b"08P01", "protocol_violation"),
    (*b"09000", "triggered_action_exception"),
    (*b"0A000", "feature_not_supported"),
    (*b"0B000", "invalid_transaction_initiation"),
    (*b"0F000", "locator_exception"),
    (*b"0F001", "invalid_locator_specification"),
    (*b"0L000", "invalid_grantor"),
    (*b"0LP01", "invalid_grant_operation"),
    (*b"0P000", "invalid_role_specification"),
    (*b"0Z000", "diagnostics_exception"),
    (*b"0Z002", "stacked_diagnostics_accessed_without_active_handler"),
    (*b"20000", "case_not_found"),
    (*b"21000", "cardinality_violation"),
    (*b"22000", "data_exception"),
    (*b"22001", "string_data_right_truncation"),
    (*b"22002", "null_value_no_indicator_parameter"),
    (*b"22003", "numeric_value_out_of_range"),
    (*b"22004", "null_value_not_allowed"),
    (*b"22005", "error_in_assignment"),
    (*b"22007", "invalid_datetime_format"),
    (*b"22008", "datetime_field_overflow"),
    (*b"22009", "invalid_time_zone_displacement_value"),
    (*b"2200B", "escape_character_conflict"),
    (*b"2200C", "invalid_use_of_escape_character"),
    (*b"2200D", "invalid_escape_octet"),
    (*b"2200F", "zero_length_character_string"),
    (*b"2200G", "most_specific_type_mismatch"),
    (*b"2200H", "sequence_generator_limit_exceeded"),
    (*b"2200L", "not_an_xml_document"),
    (*b"2200M", "invalid_xml_document"),
    (*b"2200N", "invalid_xml_content"),
    (*b"2200S", "invalid_xml_comment"),
    (*b"2200T", "invalid_xml_processing_instruction"),
    (*b"22010", "invalid_indicator_parameter_value"),
    (*b"22011", "substring_error"),
    (*b"22012", "division_by_zero"),
    (*b"22013", "invalid_preceding_or_following_size"),
    (*b"22014", "invalid_argument_for_ntile_function"),
    (*b"22015", "interval_field_overflow"),
    (*b"22016", "invalid_argument_for_nth_value_function"),
    (*b"22018", "invalid_character_value_for_cast"),
    (*b"22019", "invalid_escape_character"),
    (*b"2201B", "invalid_regular_expression"),
    (*b"2201E", "invalid_argument_for_logarithm"),
    (*b"2201F", "invalid_argument_for_power_function"),
    (*b"2201G", "invalid_argument_for_width_bucket_function"),
    (*b"2201W", "invalid_row_count_in_limit_clause"),
    (*b"2201X", "invalid_row_count_in_result_offset_clause"),
    (*b"22021", "character_not_in_repertoire"),
    (*b"22022", "indicator_overflow"),
    (*b"22023", "invalid_parameter_value"),
    (*b"22024", "unterminated_c_string"),
    (*b"22025", "invalid_escape_sequence"),
    (*b"22026", "string_data_length_mismatch"),
    (*b"22027", "trim_error"),
    (*b"2202E", "array_subscript_error"),
    (*b"2202G", "invalid_tablesample_repeat"),
    (*b"2202H", "invalid_tablesample_argument"),
    (*b"22030", "duplicate_json_object_key_value"),
    (*b"22031", "invalid_argument_for_sql_json_datetime_function"),
    (*b"22032", "invalid_json_text"),
    (*b"22033", "invalid_sql_json_subscript"),
    (*b"22034", "more_than_one_sql_json_item"),
    (*b"22035", "no_sql_json_item"),
    (*b"22036", "non_numeric_sql_json_item"),
    (*b"22037", "non_unique_keys_in_a_json_object"),
    (*b"22038", "singleton_sql_json_item_required"),
    (*b"22039", "sql_json_array_not_found"),
    (*b"2203A", "sql_json_member_not_found"),
    (*b"2203B", "sql_json_number_not_found"),
    (*b"2203C", "sql_json_object_not_found"),
    (*b"2203D", "too_many_json_array_elements"),
    (*b"2203E", "too_many_json_object_members"),
    (*b"2203F", "sql_json_scalar_required"),
    (*b"2203G", "sql_json_item_cannot_be_cast_to_target_type"),
    (*b"22P01", "floating_point_exception"),
    (*b"22P02", "invalid_text_representation"),
    (*b"22P03", "invalid_binary_representation"),
    (*b"22P04", "bad_copy_file_format"),
    (*b"22P05", "untranslatable_character"),
    (*b"22P06", "nonstandard_use_of_escape_character"),
    (*b"23000", "integrity_constraint_violation"),
    (*b"23001", "restrict_violation"),
    (*b"23502", "not_null_violation"),
    (*b"23503", "foreign_key_violation"),
    (*b"23505", "unique_violation"),
    (*b"23514", "check_violation"),
    (*b"23P01", "exclusion_violation"),
    (*b"24000", "invalid_cursor_state"),
    (*b"25000", "invalid_transaction_state"),
    (*b"25001", "active_sql_transaction"),
    (*b"25002", "branch_transaction_already_active"),
    (*b"25003", "inappropriate_access_mode_for_branch_transaction"),
    (*b"25004", "inappropriate_isolation_level_for_branch_transaction"),
    (*b"25005", "no_active_sql_transaction_for_branch_transaction"),
    (*b"25006", "read_only_sql_transaction"),
    (*b"25007", "schema_and_data_statement_mixing_not_supported"),
    (*b"25008", "held_cursor_requires_same_isolation_level"),
    (*b"25P01", "no_active_sql_transaction"),
    (*b"25P02", "in_failed_sql_transaction"),
    (*b"25P03", "idle_in_transaction_session_timeout"),
    (*b"26000", "invalid_sql_statement_name"),
    (*b"27000", "triggered_data_change_violation"),
    (*b"28000", "invalid_authorization_specification"),
    (*b"28P01", "invalid_password"),
    (*b"2B000", "dependent_privilege_descriptors_still_exist"),
    (*b"2BP01", "dependent_objects_still_exist"),
    (*b"2D000", "invalid_transaction_termination"),
    (*b"2F000", "sql_routine_exception"),
    (*b"2F002", "modifying_sql_data_not_permitted"),
    (*b"2F003", "prohibited_sql_statement_attempted"),
    (*b"2F004", "reading_sql_data_not_permitted"),
    (*b"2F005", "function_executed_no_return_statement"),
    (*b"34000", "invalid_cursor_name"),
    (*b"38000", "external_routine_exception"),
    (*b"38001", "containing_sql_not_permitted"),
    (*b"38002", "modifying_sql_data_not_permitted"),
    (*b"38003", "prohibited_sql_statement_attempted"),
    (*b"38004", "reading_sql_data_not_permitted"),
    (*b"39000", "external_routine_invocation_exception"),
    (*b"39001", "invalid_sqlstate_returned"),
    (*b"39004", "null_value_not_allowed"),
    (*b"39P01", "trigger_protocol_violated"),
    (*b"39P02", "srf_protocol_violated"),
    (*b"39P03", "event_trigger_protocol_violated"),
    (*b"3B000", "savepoint_exception"),
    (*b"3B001", "invalid_savepoint_specification"),
    (*b"3D000", "invalid_catalog_name"),
    (*b"3F000", "invalid_schema_name"),
    (*b"40000", "transaction_rollback"),
    (*b"40001", "serialization_failure"),
    (*b"40002", "transaction_integrity_constraint_violation"),
    (*b"40003", "statement_completion_unknown"),
    (*b"40P01", "deadlock_detected"),
    (*b"42000", "syntax_error_or_access_rule_violation"),
    (*b"42501", "insufficient_privilege"),
    (*b"42601", "syntax_error"),
    (*b"42602", "invalid_name"),
    (*b"42611", "invalid_column_definition"),
    (*b"42622", "name_too_long"),
    (*b"42701", "duplicate_column"),
    (*b"42702", "ambiguous_column"),
    (*b"42703", "undefined_column"),
    (*b"42704", "undefined_object"),
    (*b"42710", "duplicate_object"),
    (*b"42712", "duplicate_alias"),
    (*b"42723", "duplicate_function"),
    (*b"42725", "ambiguous_function"),
    (*b"42803", "grouping_error"),
    (*b"42804", "datatype_mismatch"),
    (*b"42809", "wrong_object_type"),
    (*b"42830", "invalid_foreign_key"),
    (*b"42846", "cannot_coerce"),
    (*b"42883", "undefined_function"),
    (*b"428C9", "generated_always"),
    (*b"42939", "reserved_name"),
    (*b"42P01", "undefined_table"),
    (*b"42P02", "undefined_parameter"),
    (*b"42P03", "duplicate_cursor"),
    (*b"42P04", "duplicate_database"),
    (*b"42P05", "duplicate_prepared_statement"),
    (*b"42P06", "duplicate_schema"),
    (*b"42P07", "duplicate_table"),
    (*b"42P08", "ambiguous_parameter"),
    (*b"42P09", "ambiguous_alias"),
    (*b"42P10", "invalid_column_reference"),
    (*b"42P11", "invalid_cursor_definition"),
    (*b"42P12", "invalid_database_definition"),
    (*b"42P13", "invalid_function_definition"),
    (*b"42P14", "invalid_prepared_statement_definition"),
    (*b"42P15", "invalid_schema_definition"),
    (*b"42P16", "invalid_table_definition"),
    (*b"42P17", "invalid_object_definition"),
    (*b"42P18", "indeterminate_datatype"),
    (*b"42P19", "invalid_recursion"),
    (*b"42P20", "windowing_error"),
    (*b"42P21", "collation_mismatch"),
    (*b"42P22", "indeterminate_collation"),
    (*b"44000", "with_check_option_violation"),
    (*b"53000", "insufficient_resources"),
    (*b"53100", "disk_full"),
    (*b"53200", "out_of_memory"),
    (*b"53300", "too_many_connections"),
    (*b"53400", "configuration_limit_exceeded"),
    (*b"54000", "program_limit_exceeded"),
    (*b"54001", "statement_too_complex"),
    (*b"54011", "too_many_columns"),
    (*b"54023", "too_many_arguments"),
    (*b"55000", "object_not_in_prerequisite_state"),
    (*b"55006", "object_in_use"),
    (*b"55P02", "cant_change_runtime_param"),
    (*b"55P03", "lock_not_available"),
    (*b"55P04", "unsafe_new_enum_value_usage"),
    (*b"57000", "operator_intervention"),
    (*b"57014", "query_canceled"),
    (*b"57P01", "admin_shutdown"),
    (*b"57P02", "crash_shutdown"),
    (*b"57P03", "cannot_connect_now"),
    (*b"57P04", "database_dropped"),
    (*b"57P05", "idle_session_timeout"),
    (*b"58000", "system_error"),
    (*b"58030", "io_error"),
    (*b"58P01", "undefined_file"),
    (*b"58P02", "duplicate_file"),
    (*b"72000", "snapshot_too_old"),
    (*b"F0000", "config_file_error"),
    (*b"F0001", "lock_file_exists"),
    (*b"HV000", "fdw_error"),
    (*b"HV001", "fdw_out_of_memory"),
    (*b"HV002", "fdw_dynamic_parameter_value_needed"),
    (*b"HV004", "fdw_invalid_data_type"),
    (*b"HV005", "fdw_column_name_not_found"),
    (*b"HV006", "fdw_invalid_data_type_descriptors"),
    (*b"HV007", "fdw_invalid_column_name"),
    (*b"HV008", "fdw_invalid_column_number"),
    (*b"HV009", "fdw_invalid_use_of_null_pointer"),
    (*b"HV00A", "fdw_invalid_string_format"),
    (*b"HV00B", "fdw_invalid_handle"),
    (*b"HV00C", "fdw_invalid_option_index"),
    (*b"HV00D", "fdw_invalid_option_name"),
    (*b"HV00J", "fdw_option_name_not_found"),
    (*b"HV00K", "fdw_reply_handle"),
    (*b"HV00L", "fdw_unable_to_create_execution"),
    (*b"HV00M", "fdw_unable_to_create_reply"),
    (*b"HV00N", "fdw_unable_to_establish_connection"),
    (*b"HV00P", "fdw_no_schemas"),
    (*b"HV00Q", "fdw_schema_not_found"),
    (*b"HV00R", "fdw_table_not_found"),
    (*b"HV010", "fdw_function_sequence_error"),
    (*b"HV014", "fdw_too_many_handles"),
    (*b"HV021", "fdw_inconsistent_descriptor_information"),
    (*b"HV024", "fdw_invalid_attribute_value"),
    (*b"HV090", "fdw_invalid_string_length_or_buffer_length"),
    (*b"HV091", "fdw_invalid_descriptor_field_identifier"),
    (*b"P0000", "plpgsql_error"),
    (*b"P0001", "raise_exception"),
    (*b"P0002", "no_data_found"),
    (*b"P0003", "too_many_rows"),
    (*b"P0004", "assert_failure"),
    (*b"XX000", "internal_error"),
    (*b"XX001", "data_corrupted"),
    (*b"XX002", "index_corrupted"),
];
