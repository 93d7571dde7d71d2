//! A front that speaks TLS with the client, and plainly with what is behind it.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// Begins with TLS at once, as `sslnegotiation=direct` wants it.
pub(crate) struct Front {
    pub(crate) port: u16,
    task: JoinHandle<()>,
}

impl Front {
    /// Has the certificate of the cluster whose files are in `folder`.
    pub(crate) async fn start(folder: &Path, alpn: &[&[u8]], behind: SocketAddr) -> Self {
        let certificate = CertificateDer::from_pem_file(folder.join("tls/server.crt")).unwrap();
        let key = PrivateKeyDer::from_pem_file(folder.join("tls/server.key")).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        config.alpn_protocols = alpn.iter().map(|name| name.to_vec()).collect();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let Ok(mut client) = acceptor.accept(client).await else { return };
                    let Ok(mut server) = TcpStream::connect(behind).await else { return };
                    let _ =
                        tokio::io::copy_bidirectional_with_sizes(&mut client, &mut server, 1 << 16, 1 << 16)
                            .await;
                });
            }
        });
        Self { port, task }
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.task.abort();
    }
}
