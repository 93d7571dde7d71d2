//! What a login is bound to: `tls-server-end-point`, the hash of the server's certificate (RFC 5929).
//!
//! The hash function is that of the certificate's signature. To find it takes three steps into the certificate, for
//! which no parser of X.509 is brought in: what is read wrongly here makes a wrong hash, and the server refuses it.

use sha2::{Digest, Sha256, Sha384, Sha512};

/// The hash of a certificate; `None` where its signature has no hash function of its own, as Ed25519 has none, or an
/// unknown one.
pub(super) fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let hash: fn(&[u8]) -> Vec<u8> = match hash_of(certificate)? {
        Hash::Sha256 => |bytes| Sha256::digest(bytes).to_vec(),
        Hash::Sha384 => |bytes| Sha384::digest(bytes).to_vec(),
        Hash::Sha512 => |bytes| Sha512::digest(bytes).to_vec(),
    };
    Some(hash(certificate))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hash {
    Sha256,
    Sha384,
    Sha512,
}

const SEQUENCE: u8 = 0x30;
const OBJECT: u8 = 0x06;
/// The parameter 0 of RSASSA-PSS, the hash function (RFC 4055).
const PSS_HASH: u8 = 0xa0;

/// RSASSA-PSS, whose hash function is a parameter.
const PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a];

/// Signatures and hash functions by object identifier, without tag and length. MD5 and SHA-1 count as SHA-256, as RFC
/// 5929 wants.
const HASHES: &[(&[u8], Hash)] = &[
    // md5WithRSAEncryption and sha1WithRSAEncryption, sha256, sha384 and sha512 (RFC 8017)
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x04], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0c], Hash::Sha384),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0d], Hash::Sha512),
    // ecdsa-with-SHA1, SHA256, SHA384, SHA512 (RFC 5758)
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03], Hash::Sha384),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04], Hash::Sha512),
    // SHA-1, SHA-256, SHA-384, SHA-512 themselves
    (&[0x2b, 0x0e, 0x03, 0x02, 0x1a], Hash::Sha256),
    (&[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01], Hash::Sha256),
    (&[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02], Hash::Sha384),
    (&[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03], Hash::Sha512),
];

fn hash_of(certificate: &[u8]) -> Option<Hash> {
    let (certificate, _) = element(SEQUENCE, certificate)?;
    let (_, behind_body) = element(SEQUENCE, certificate)?;
    let (algorithm, _) = element(SEQUENCE, behind_body)?;
    let (name, parameters) = element(OBJECT, algorithm)?;
    if name == PSS {
        return pss(parameters);
    }
    by_name(name)
}

fn pss(parameters: &[u8]) -> Option<Hash> {
    let (parameters, _) = element(SEQUENCE, parameters)?;
    // Left out, it is SHA-1.
    let Some((hash, _)) = element(PSS_HASH, parameters) else { return Some(Hash::Sha256) };
    let (hash, _) = element(SEQUENCE, hash)?;
    by_name(element(OBJECT, hash)?.0)
}

fn by_name(name: &[u8]) -> Option<Hash> {
    HASHES.iter().find(|(known, _)| *known == name).map(|(_, hash)| *hash)
}

/// The contents of the DER element that `bytes` start with, if it has that tag, and what follows it.
fn element(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&found, rest) = bytes.split_first()?;
    let (&short, rest) = rest.split_first()?;
    if found != tag {
        return None;
    }
    if short < 0x80 {
        return rest.split_at_checked(usize::from(short));
    }
    // So many bytes of length follow. A certificate needs no more than three.
    let digits = usize::from(short & 0x7f);
    if digits > 3 {
        return None;
    }
    let (length, rest) = rest.split_at_checked(digits)?;
    rest.split_at_checked(length.iter().fold(0, |length, &digit| length << 8 | usize::from(digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(tag: u8, contents: &[u8]) -> Vec<u8> {
        let length = u16::try_from(contents.len()).expect("a short one").to_be_bytes();
        [&[tag, 0x82], &length[..], contents].concat()
    }

    /// A certificate of which only the algorithm of the signature matters.
    fn certificate(algorithm: &[u8]) -> Vec<u8> {
        let body = wrapped(SEQUENCE, &[0x55; 300]);
        wrapped(SEQUENCE, &[&body[..], &wrapped(SEQUENCE, algorithm), b"\x03\x01\x00"].concat())
    }

    #[test]
    fn the_hash_is_that_of_the_signature() {
        for (name, hash) in HASHES {
            let named = certificate(&wrapped(OBJECT, name));
            assert_eq!(hash_of(&named), Some(*hash), "{name:x?}");
            let bound = end_point(&named).expect("a hash");
            let bytes = match hash {
                Hash::Sha256 => 32,
                Hash::Sha384 => 48,
                Hash::Sha512 => 64,
            };
            assert_eq!(bound.len(), bytes);
        }
        assert_eq!(end_point(&certificate(&wrapped(OBJECT, HASHES[0].0))), {
            Some(Sha256::digest(certificate(&wrapped(OBJECT, HASHES[0].0))).to_vec())
        });
    }

    #[test]
    fn the_hash_of_pss_is_a_parameter() {
        let sha384 = wrapped(SEQUENCE, &wrapped(OBJECT, HASHES[11].0));
        for (parameters, hash) in [(wrapped(PSS_HASH, &sha384), Hash::Sha384), (Vec::new(), Hash::Sha256)] {
            let algorithm = [wrapped(OBJECT, PSS), wrapped(SEQUENCE, &parameters)].concat();
            assert_eq!(hash_of(&certificate(&algorithm)), Some(hash));
        }
    }

    #[test]
    fn without_a_hash_there_is_nothing_to_bind_to() {
        // Ed25519
        assert_eq!(end_point(&certificate(&wrapped(OBJECT, &[0x2b, 0x65, 0x70]))), None);
        let whole = certificate(&wrapped(OBJECT, HASHES[0].0));
        for end in 0..320 {
            assert_eq!(end_point(&whole[..end]), None, "{end}");
        }
        assert_eq!(end_point(b"\x30\x84\xff\xff\xff\xff\x30"), None);
    }
}
