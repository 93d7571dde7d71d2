//! Authentication: what the server asks for, and how the client answers.

use std::fmt;

use bytes::BytesMut;

use super::body::Body;
use super::write::Frame;
use super::{Fault, FrameError, Text, Texts};

const NAME: &str = "Authentication";

/// Authentication: what the server asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Authentication<'a> {
    /// The client is who it says.
    Ok,
    /// Kerberos V5, which no server since 9.3 asks for.
    KerberosV5,
    /// The password as it is.
    CleartextPassword,
    /// The password's MD5 digest, salted.
    Md5Password {
        /// The salt.
        salt: [u8; 4],
    },
    /// Credentials of a unix socket, which no server since 9.1 asks for.
    ScmCredential,
    /// GSSAPI.
    Gss,
    /// More of GSSAPI's or SSPI's data.
    GssContinue(&'a [u8]),
    /// SSPI.
    Sspi,
    /// SASL, by one of these mechanisms, in the server's order of preference.
    Sasl(Texts<'a>),
    /// More of the SASL mechanism's data.
    SaslContinue(&'a [u8]),
    /// The last of the SASL mechanism's data.
    SaslFinal(&'a [u8]),
}

impl<'a> Authentication<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new(NAME, body);
        let asked = match b.u32()? {
            0 => Self::Ok,
            2 => Self::KerberosV5,
            3 => Self::CleartextPassword,
            5 => Self::Md5Password { salt: b.array()? },
            6 => Self::ScmCredential,
            7 => Self::Gss,
            8 => return Ok(Self::GssContinue(b.take_rest())),
            9 => Self::Sspi,
            10 => Self::Sasl(Texts::read_to_empty(&mut b)?),
            11 => return Ok(Self::SaslContinue(b.take_rest())),
            12 => return Ok(Self::SaslFinal(b.take_rest())),
            other => return Err(b.fault(Fault::Code(other))),
        };
        b.finish()?;
        Ok(asked)
    }

    fn code(&self) -> u32 {
        match self {
            Self::Ok => 0,
            Self::KerberosV5 => 2,
            Self::CleartextPassword => 3,
            Self::Md5Password { .. } => 5,
            Self::ScmCredential => 6,
            Self::Gss => 7,
            Self::GssContinue(_) => 8,
            Self::Sspi => 9,
            Self::Sasl(_) => 10,
            Self::SaslContinue(_) => 11,
            Self::SaslFinal(_) => 12,
        }
    }
}

/// What travels inside is left out: hashes can be guessed from it.
impl fmt::Debug for Authentication<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("Ok"),
            Self::KerberosV5 => f.write_str("KerberosV5"),
            Self::CleartextPassword => f.write_str("CleartextPassword"),
            Self::Md5Password { .. } => f.write_str("Md5Password"),
            Self::ScmCredential => f.write_str("ScmCredential"),
            Self::Gss => f.write_str("Gss"),
            Self::GssContinue(data) => write!(f, "GssContinue({} bytes)", data.len()),
            Self::Sspi => f.write_str("Sspi"),
            Self::Sasl(mechanisms) => f.debug_tuple("Sasl").field(mechanisms).finish(),
            Self::SaslContinue(data) => write!(f, "SaslContinue({} bytes)", data.len()),
            Self::SaslFinal(data) => write!(f, "SaslFinal({} bytes)", data.len()),
        }
    }
}

/// Appends an Authentication message; [`authentication_sasl`] is more at hand for a list of mechanisms.
///
/// # Errors
/// When it is longer than 2 GiB.
pub fn authentication(out: &mut BytesMut, asked: &Authentication<'_>) -> Result<(), FrameError> {
    if let Authentication::Sasl(mechanisms) = asked {
        return authentication_sasl(out, mechanisms.iter());
    }
    let mut frame = Frame::tagged(out, NAME, b'R', 8);
    frame.u32(asked.code())?;
    match asked {
        Authentication::Md5Password { salt } => frame.bytes(salt)?,
        Authentication::GssContinue(data)
        | Authentication::SaslContinue(data)
        | Authentication::SaslFinal(data) => frame.bytes(data)?,
        _ => {}
    }
    frame.finish()
}

/// Appends an AuthenticationSASL.
///
/// # Errors
/// When a mechanism is empty or has a zero byte in it.
pub fn authentication_sasl(
    out: &mut BytesMut,
    mechanisms: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, NAME, b'R', 32);
    frame.u32(10)?;
    for mechanism in mechanisms {
        frame.name(mechanism.as_ref())?;
    }
    frame.u8(0)?;
    frame.finish()
}

/// PasswordMessage, SASLInitialResponse, SASLResponse or GSSResponse: they have the same tag, and what was
/// asked for tells which one it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AuthenticationResponse<'a>(&'a [u8]);

impl<'a> AuthenticationResponse<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        Self(body)
    }

    /// The message as a SASLResponse or a GSSResponse: data that only the mechanism understands.
    pub fn data(self) -> &'a [u8] {
        self.0
    }

    /// The message as a PasswordMessage: a password or its digest.
    ///
    /// # Errors
    /// When it is none.
    pub fn password(self) -> Result<Text<'a>, FrameError> {
        let mut b = Body::new("PasswordMessage", self.0);
        let password = b.text()?;
        b.finish()?;
        Ok(password)
    }

    /// The message as a SASLInitialResponse.
    ///
    /// # Errors
    /// When it is none.
    pub fn sasl_initial(self) -> Result<SaslInitialResponse<'a>, FrameError> {
        let mut b = Body::new("SASLInitialResponse", self.0);
        let mechanism = b.text()?;
        let data = b.value()?;
        b.finish()?;
        Ok(SaslInitialResponse { mechanism, data })
    }
}

/// The bytes are left out: they can be a password.
impl fmt::Debug for AuthenticationResponse<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuthenticationResponse({} bytes)", self.0.len())
    }
}

/// SASLInitialResponse: the mechanism that the client picked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SaslInitialResponse<'a> {
    /// One of those that the server offered.
    pub mechanism: Text<'a>,
    /// The mechanism's first data; `None` where the server speaks first.
    pub data: Option<&'a [u8]>,
}

/// The data is left out.
impl fmt::Debug for SaslInitialResponse<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SaslInitialResponse").field("mechanism", &self.mechanism).finish_non_exhaustive()
    }
}

/// Appends a PasswordMessage.
///
/// # Errors
/// When the password has a zero byte in it.
pub fn password(out: &mut BytesMut, password: impl AsRef<[u8]>) -> Result<(), FrameError> {
    let password = password.as_ref();
    let mut frame = Frame::tagged(out, "PasswordMessage", b'p', password.len() + 1);
    frame.text(password)?;
    frame.finish()
}

/// Appends a SASLInitialResponse.
///
/// # Errors
/// When the mechanism has a zero byte in it.
pub fn sasl_initial_response(
    out: &mut BytesMut,
    mechanism: impl AsRef<[u8]>,
    data: Option<&[u8]>,
) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "SASLInitialResponse", b'p', 64);
    frame.text(mechanism.as_ref())?;
    frame.value(data)?;
    frame.finish()
}

/// Appends a SASLResponse.
///
/// # Errors
/// When it is longer than 2 GiB.
pub fn sasl_response(out: &mut BytesMut, data: &[u8]) -> Result<(), FrameError> {
    raw(out, "SASLResponse", data)
}

/// Appends a GSSResponse.
///
/// # Errors
/// When it is longer than 2 GiB.
pub fn gss_response(out: &mut BytesMut, data: &[u8]) -> Result<(), FrameError> {
    raw(out, "GSSResponse", data)
}

fn raw(out: &mut BytesMut, message: &'static str, data: &[u8]) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, message, b'p', data.len());
    frame.bytes(data)?;
    frame.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_golden() {
        let mut sasl = BytesMut::new();
        authentication_sasl(&mut sasl, ["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"]).expect("can be sent");
        assert_eq!(&sasl[..], b"R\0\0\0\x2a\0\0\0\x0aSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");
        let Ok(Authentication::Sasl(mechanisms)) = Authentication::decode(&sasl[5..]) else { panic!() };
        assert!(mechanisms.iter().eq(["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"].map(Text::from)));

        let golden: [(Authentication<'_>, &[u8]); 11] = [
            (Authentication::Ok, b"R\0\0\0\x08\0\0\0\0"),
            (Authentication::KerberosV5, b"R\0\0\0\x08\0\0\0\x02"),
            (Authentication::CleartextPassword, b"R\0\0\0\x08\0\0\0\x03"),
            (Authentication::Md5Password { salt: *b"salt" }, b"R\0\0\0\x0c\0\0\0\x05salt"),
            (Authentication::ScmCredential, b"R\0\0\0\x08\0\0\0\x06"),
            (Authentication::Gss, b"R\0\0\0\x08\0\0\0\x07"),
            (Authentication::GssContinue(b"x\0y"), b"R\0\0\0\x0b\0\0\0\x08x\0y"),
            (Authentication::Sspi, b"R\0\0\0\x08\0\0\0\x09"),
            (Authentication::Sasl(mechanisms), &sasl),
            (Authentication::SaslContinue(b"r=1"), b"R\0\0\0\x0b\0\0\0\x0br=1"),
            (Authentication::SaslFinal(b""), b"R\0\0\0\x08\0\0\0\x0c"),
        ];
        for (asked, bytes) in golden {
            let mut out = BytesMut::new();
            authentication(&mut out, &asked).expect("can be sent");
            assert_eq!(&out[..], bytes, "{asked:?}");
            assert_eq!(Authentication::decode(&bytes[5..]), Ok(asked));
        }
    }

    #[test]
    fn strange_requests_are_refused() {
        for bytes in
            [&b""[..], b"\0\0\0\x01", b"\0\0\0\x0d", b"\0\0\0\0x", b"\0\0\0\x05sal", b"\0\0\0\x0aA\0"]
        {
            assert!(Authentication::decode(bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn responses_golden() {
        let mut out = BytesMut::new();
        password(&mut out, "pw").expect("can be sent");
        assert_eq!(&out[..], b"p\0\0\0\x07pw\0");
        assert_eq!(AuthenticationResponse(&out[5..]).password().expect("reads"), "pw");

        let mut out = BytesMut::new();
        sasl_initial_response(&mut out, "SCRAM-SHA-256", Some(b"n,,")).expect("can be sent");
        assert_eq!(&out[..], b"p\0\0\0\x19SCRAM-SHA-256\0\0\0\0\x03n,,");
        let read = AuthenticationResponse(&out[5..]).sasl_initial().expect("reads");
        assert_eq!(read.mechanism, "SCRAM-SHA-256");
        assert_eq!(read.data, Some(&b"n,,"[..]));

        let mut out = BytesMut::new();
        sasl_initial_response(&mut out, "X", None).expect("can be sent");
        assert_eq!(&out[..], b"p\0\0\0\x0aX\0\xff\xff\xff\xff");

        for send in [sasl_response, gss_response] {
            let mut out = BytesMut::new();
            send(&mut out, b"\0a").expect("can be sent");
            assert_eq!(&out[..], b"p\0\0\0\x06\0a");
            assert_eq!(AuthenticationResponse(&out[5..]).data(), b"\0a");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let response = AuthenticationResponse(b"X\0\0\0\0\x06sesame");
        let initial = response.sasl_initial().expect("reads");
        for shown in [
            format!("{response:?}"),
            format!("{initial:?}"),
            format!("{:?}", Authentication::SaslContinue(b"sesame")),
            format!("{:?}", Authentication::Md5Password { salt: *b"sesa" }),
        ] {
            assert!(!shown.contains("sesa") && !shown.contains("115"), "{shown}");
        }
    }
}
