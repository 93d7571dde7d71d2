//! A tiny command-line client: runs one statement and prints its rows as `COPY (...) TO STDOUT` would.
//!
//! ```text
//! cargo run --example sql -- --dsn postgres://localhost/farm --param int8=7 "SELECT * FROM llamas WHERE id = $1"
//! ```
//!
//! The statement goes through the extended protocol, and its values arrive in binary form: what is printed is our
//! own reading of them. With `--echo` each value is sent back as a binary parameter of its own type, and
//! printed is what the server makes of it.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use wreath_driver::codecs::types::{CopyText, Kind, Value};
use wreath_driver::{Client, Config, ParamBuf, Row};

const USAGE: &str = "usage: sql [--dsn DSN] [--param TYPE=TEXT | --param TYPE]... [--echo] SQL

  --dsn DSN          where to connect: a URI or key=value pairs; else what the PG* variables say
  --param TYPE=TEXT  the next parameter ($1 first), in the type's text form
  --param TYPE       the same, NULL
  --echo             send every value back and print what the server makes of it";

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(e) => {
            eprintln!("sql: {e}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("sql: {e}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &Arguments) -> Result<()> {
    let client = arguments.config()?.connect().await?;
    // The forms in which values are printed here, for those that the server prints.
    client
        .batch(
            "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres';
             SET bytea_output = 'hex'; SET extra_float_digits = 1",
        )
        .await?;
    let mut params = ParamBuf::new();
    for (ty, text) in &arguments.params {
        let ty = client.type_by_name(ty).await?;
        params.push(
            &text.as_ref().map_or_else(|| Ok(Value::null(ty.clone())), |text| Value::parse(&ty, text))?,
        )?;
    }
    let rows = client.fetch(&arguments.sql, params).await?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for row in &rows {
        print_row(&client, row, arguments.echo, &mut out).await?;
    }
    out.flush()?;
    client.close().await?;
    Ok(())
}

async fn print_row(client: &Client, row: Row<'_>, echo: bool, out: &mut impl Write) -> Result<()> {
    for (i, (column, bytes)) in row.columns().iter().zip(row.values()).enumerate() {
        if i > 0 {
            out.write_all(b"\t")?;
        }
        let value = Value::decode(column.read_as(), bytes?)?;
        // A value of a reg* type is a number, whose name only the server knows.
        let numbered = match column.ty().kind() {
            Kind::Array(element) => element.name().starts_with("reg"),
            _ => column.ty().name().starts_with("reg"),
        };
        let value = if echo || numbered { echoed(client, &value).await? } else { value };
        write!(out, "{}", CopyText(&value))?;
    }
    out.write_all(b"\n")?;
    Ok(())
}

/// What the server makes of a value. `format` prints by the type's own output function, as COPY does; a cast to
/// text does not for every type.
async fn echoed(client: &Client, value: &Value) -> Result<Value> {
    let row = client.fetch_one("SELECT CASE WHEN $1 IS NOT NULL THEN format('%s', $1) END", (value,)).await?;
    let column = &row.columns()[0];
    Ok(Value::decode(column.read_as(), row.as_row().raw(0)?)?)
}

/// What was asked for on the command line.
struct Arguments {
    dsn: Option<String>,
    params: Vec<(String, Option<String>)>,
    echo: bool,
    sql: String,
}

impl Arguments {
    /// `None` asks for help.
    fn read(mut words: impl Iterator<Item = String>) -> Result<Option<Self>, Misuse> {
        let mut arguments = Self { dsn: None, params: Vec::new(), echo: false, sql: String::new() };
        let mut sql = None;
        while let Some(word) = words.next() {
            match word.as_str() {
                "--help" | "-h" => return Ok(None),
                "--echo" => arguments.echo = true,
                "--dsn" => arguments.dsn = Some(words.next().ok_or(Misuse("--dsn needs a DSN"))?),
                "--param" => {
                    let param = words.next().ok_or(Misuse("--param needs TYPE=TEXT"))?;
                    arguments.params.push(match param.split_once('=') {
                        Some((ty, text)) => (ty.to_owned(), Some(text.to_owned())),
                        None => (param, None),
                    });
                }
                option if option.starts_with("--") => return Err(Misuse("an unknown option")),
                _ if sql.is_some() => return Err(Misuse("one statement only")),
                _ => sql = Some(word),
            }
        }
        arguments.sql = sql.ok_or(Misuse("a statement is missing"))?;
        Ok(Some(arguments))
    }

    fn config(&self) -> wreath_driver::Result<Config> {
        self.dsn.as_deref().map_or_else(|| Ok(Config::new()), |dsn| Ok(dsn.parse()?))
    }
}

/// A command line that makes no sense.
#[derive(Debug)]
struct Misuse(&'static str);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Misuse {}
