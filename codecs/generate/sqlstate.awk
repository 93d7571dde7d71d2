# The Rust text of sqlstate/table.rs out of errcodes.txt, which is read twice; see the file `tables` beside this one.
# A line has a code, a severity, a C macro, and a condition name, which some lack: those are other names for a code.

/^#/ || NF == 0 { next }

# In the first reading: which condition names stand for more than one code.
FNR == NR { if ($1 != "Section:") codes[$4]++; next }

!headed {
    headed = 1
    print "//! The SQLSTATE codes by their condition names (PostgreSQL manual, \"PostgreSQL Error Codes\")."
    print "//!"
    print "//! Made by `codecs/generate/tables` from the file `errcodes.txt` of the server's package; do not edit."
    print ""
    print "use super::SqlState;"
    print ""
    print "impl SqlState {"
}

$1 == "Section:" { next }

{
    constant = toupper(NF < 4 || codes[$4] > 1 ? $3 : $4)
    sub(/^ERRCODE_/, "", constant)
    sub(/^S_R_E_/, "SQL_ROUTINE_", constant)
    sub(/^E_R_E_/, "EXTERNAL_ROUTINE_", constant)
    sub(/^E_R_I_E_/, "EXTERNAL_ROUTINE_INVOCATION_", constant)
    if (NF < 4) {
        printf "/// `%s`, by another name.\n", $1
    } else {
        printf "/// `%s`, `%s`.\n", $1, $4
        row[$1] = $4
    }
    printf "pub const %s: Self = Self(*b\"%s\");\n", constant, $1
}

END {
    print "}"
    print ""
    printf "/// The codes in order, each with its condition name.\n"
    printf "pub(super) static NAMES: [([u8; 5], &str); %d] = [\n", length(row)
    sort = "sort"
    for (code in row) printf "(*b\"%s\", \"%s\"),\n", code, row[code] | sort
    close(sort)
    print "];"
}
