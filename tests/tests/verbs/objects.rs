//! Large objects.

use std::io::SeekFrom;

use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};
use wreath_driver::{Access, Error, ErrorKind};

use crate::connected;

/// Bytes in which every place differs from its surroundings.
fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| u8::try_from((i ^ (i >> 8) ^ (i >> 16)) & 0xff).unwrap()).collect()
}

#[tokio::test]
async fn an_object_is_written_read_sought_in_and_cut() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let objects = tx.large_objects();
    let oid = objects.create().await.unwrap();
    let data = pattern((5 << 20) + 17);
    let mut object = objects.open(oid, Access::ReadWrite).await.unwrap();
    assert_eq!(object.oid(), oid);
    object.write(&data).await.unwrap();
    object.write(&[]).await.unwrap();
    assert_eq!(object.position().await.unwrap(), data.len() as u64);
    assert_eq!(object.seek(SeekFrom::Start(0)).await.unwrap(), 0);
    let mut read = Vec::new();
    loop {
        let piece = object.read(usize::MAX).await.unwrap();
        assert!(piece.len() <= 1 << 20);
        if piece.is_empty() {
            break;
        }
        read.extend_from_slice(&piece);
    }
    assert!(read == data);
    assert_eq!(object.seek(SeekFrom::End(-7)).await.unwrap(), data.len() as u64 - 7);
    assert_eq!(object.read(3).await.unwrap(), data[data.len() - 7..data.len() - 4]);
    assert_eq!(object.seek(SeekFrom::Current(-2)).await.unwrap(), data.len() as u64 - 6);
    object.truncate(1000).await.unwrap();
    assert_eq!(
        (object.size().await.unwrap(), object.position().await.unwrap()),
        (1000, data.len() as u64 - 6)
    );
    object.close().await.unwrap();
    tx.commit().await.unwrap();

    let tx = connection.begin().await.unwrap();
    let mut object = tx.large_objects().open(oid, Access::Read).await.unwrap();
    assert_eq!(object.read(2000).await.unwrap(), data[..1000]);
    tx.large_objects().unlink(oid).await.unwrap();
    tx.commit().await.unwrap();
    let left: i64 =
        connection.fetch_scalar("SELECT count(*) FROM pg_largeobject_metadata", ()).await.unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn positions_have_64_bits_and_what_cannot_be_is_refused() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let oid = tx.large_objects().create_as(4_000_000_000).await.unwrap();
    assert_eq!(oid, 4_000_000_000);
    let mut object = tx.large_objects().open(oid, Access::ReadWrite).await.unwrap();
    let far = 3 << 32;
    assert_eq!(object.seek(SeekFrom::Start(far)).await.unwrap(), far);
    object.write(b"far").await.unwrap();
    assert_eq!(object.size().await.unwrap(), far + 3);
    assert_eq!(object.seek(SeekFrom::Start(u64::MAX)).await.unwrap_err().kind(), ErrorKind::Encode);
    let savepoint = tx.begin().await.unwrap();
    let mut inner = savepoint.large_objects().open(oid, Access::Read).await.unwrap();
    assert_eq!(inner.seek(SeekFrom::Start(1 << 60)).await.unwrap_err().sqlstate(), Some("22023"));
    savepoint.rollback().await.unwrap();
    for (error, state) in [
        (tx.large_objects().open(1, Access::Read).await.map(drop), "42704"),
        (tx.large_objects().unlink(oid).await, "25P02"),
    ] {
        assert_eq!(error.unwrap_err().sqlstate(), Some(state));
    }
    tx.rollback().await.unwrap();
}

#[tokio::test]
async fn an_object_reads_and_writes_like_a_file() {
    let (_database, connection) = connected().await;
    let data = pattern((4 << 20) + 5);
    let written = data.clone();
    let oid = connection
        .transact(|tx| {
            let data = written.clone();
            async move {
                let oid = tx.large_objects().create().await?;
                let mut object = tx.large_objects().open(oid, Access::ReadWrite).await?.into_io();
                tokio::io::copy(&mut &data[..], &mut object).await.unwrap();
                object.shutdown().await.unwrap();
                wreath_driver::Result::Ok(oid)
            }
        })
        .await
        .unwrap();
    let tx = connection.begin().await.unwrap();
    let mut object = tx.large_objects().open(oid, Access::ReadWrite).await.unwrap().into_io();
    let mut read = Vec::new();
    object.read_to_end(&mut read).await.unwrap();
    assert!(read == data);
    // What was read ahead does not count: positions are those of the caller.
    assert_eq!(object.seek(SeekFrom::Start(100)).await.unwrap(), 100);
    let mut three = [0; 3];
    object.read_exact(&mut three).await.unwrap();
    assert_eq!(three, data[100..103]);
    assert_eq!(object.seek(SeekFrom::Current(-1)).await.unwrap(), 102);
    object.read_exact(&mut three[..1]).await.unwrap();
    object.write_all(b"here").await.unwrap();
    object.read_exact(&mut three).await.unwrap();
    assert_eq!(three, data[107..110]);
    assert_eq!(object.seek(SeekFrom::Start(102)).await.unwrap(), 102);
    let mut again = [0; 6];
    object.read_exact(&mut again).await.unwrap();
    assert_eq!(again, [&data[102..103], b"here", &data[107..108]].concat()[..]);
    object.shutdown().await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_object_ends_with_its_transaction_and_errors_are_told_through_the_traits() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let oid = tx.large_objects().create().await.unwrap();
    let mut object = tx.large_objects().open(oid, Access::Read).await.unwrap().into_io();
    let mut error = object.write_all(b"not to be written").await.err();
    if error.is_none() {
        error = object.flush().await.err();
    }
    let error = error.unwrap();
    let cause = error.get_ref().and_then(|e| e.downcast_ref::<Error>()).unwrap();
    assert_eq!(cause.sqlstate(), Some("55000"));
    drop(object);
    tx.rollback().await.unwrap();
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}
