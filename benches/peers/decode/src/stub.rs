//! Rows of sqlx, which has no way to make one but to receive it: a thread plays the server on a socket of its own,
//! and the clock starts when the rows are there.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use measure::{Error, Result};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgRow, PgSslMode};
use sqlx::{ConnectOptions, Connection};

use crate::table::Table;

/// The table's rows as sqlx keeps them.
pub fn rows(table: &Table) -> Result<Vec<PgRow>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    thread::scope(|scope| {
        let server = scope.spawn(move || serve(&listener.accept()?.0, table));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let rows = runtime.block_on(async {
            let options = PgConnectOptions::new_without_pgpass()
                .host("127.0.0.1")
                .port(port)
                .username("bench")
                .ssl_mode(PgSslMode::Disable);
            let mut connection: PgConnection = options.connect().await?;
            let rows = sqlx::query("the rows").fetch_all(&mut connection).await?;
            connection.close().await?;
            Ok::<_, Error>(rows)
        })?;
        server.join().map_err(|_| "the stub panicked")??;
        Ok(rows)
    })
}

/// Answers each message by itself, whatever its query says, until the client is gone.
fn serve(mut client: &TcpStream, table: &Table) -> Result<()> {
    read_body(&mut client)?;
    // No password is asked for, and there is nothing to know before the first query.
    client.write_all(&[message(b'R', &0_i32.to_be_bytes()), message(b'Z', b"I")].concat())?;
    let mut answer = Vec::new();
    let mut tag = [0];
    while client.read(&mut tag)? == 1 {
        read_body(&mut client)?;
        match tag[0] {
            b'P' => answer.extend(message(b'1', b"")),
            b'D' => answer.extend([message(b't', &[0, 0]), message(b'T', &table.description())].concat()),
            b'B' => answer.extend(message(b'2', b"")),
            b'C' => answer.extend(message(b'3', b"")),
            b'E' => {
                let count = u16::try_from(table.types.len())?.to_be_bytes();
                let rows = table.rows.iter().flat_map(|row| message(b'D', &[&count, &row[..]].concat()));
                answer.extend(rows);
                answer.extend(message(b'C', b"SELECT 1\0"));
            }
            b'S' => {
                answer.extend(message(b'Z', b"I"));
                client.write_all(&std::mem::take(&mut answer))?;
            }
            b'X' => break,
            tag => return Err(format!("the stub does not know the message {tag}").into()),
        }
    }
    Ok(())
}

fn read_body(client: &mut &TcpStream) -> Result<()> {
    let mut length = [0; 4];
    client.read_exact(&mut length)?;
    let mut body = vec![0; usize::try_from(u32::from_be_bytes(length))? - 4];
    Ok(client.read_exact(&mut body)?)
}

fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    [&[tag], &(body.len() as u32 + 4).to_be_bytes()[..], body].concat()
}
