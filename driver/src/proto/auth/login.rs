//! The steps of a login.

use std::fmt;

use bytes::BytesMut;
use wreath_codecs::frame::Texts;
use wreath_codecs::frame::backend::Authentication;
use wreath_codecs::frame::frontend;

use super::bearer::{self, BEARER, Refusal};
use super::scram::{Expected, SCRAM, SCRAM_PLUS, Scram};
use super::{AuthError, AuthMethod, AuthMethods, ChannelBinding, md5};

/// A login: what the server asks for goes in, and the answer to it is appended to a buffer.
pub(crate) struct Login {
    user: String,
    /// Known once it was needed.
    password: Option<String>,
    /// The same; `Some(None)` asks the server who issues its tokens.
    token: Option<Option<String>>,
    /// Why the server does not take the token.
    refusal: Option<Refusal>,
    nonce: String,
    binding: ChannelBinding,
    /// Whether no login will do that is not bound to the encryption beneath.
    must_bind: bool,
    methods: AuthMethods,
    step: Step,
}

/// What may come next.
enum Step {
    /// The server's request.
    Start,
    /// The server's verdict.
    Answered,
    /// The server's first SCRAM message.
    Scram(Scram),
    /// The server's last SCRAM message.
    Proof(Expected),
    /// The server's verdict on a token, or on the lack of one.
    Token,
    /// Nothing: the login is over, well or not.
    Over,
}

/// How far a login is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The server has more to say about it.
    Going,
    /// The server lets the user in.
    Done,
    /// Something has to be given before the message can be answered, which is then handled again.
    Needs(Need),
}

/// What only the caller can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The user's password.
    Password,
    /// A bearer token, or that there is none yet.
    Token,
}

impl Login {
    /// A login of `user`. The nonce is made by [`nonce`](super::nonce) from random bytes, new for each login.
    pub(crate) fn new(user: impl Into<String>, nonce: String, binding: ChannelBinding) -> Self {
        Self {
            user: user.into(),
            password: None,
            token: None,
            refusal: None,
            nonce,
            binding,
            must_bind: false,
            methods: AuthMethods::ANY,
            step: Step::Start,
        }
    }

    /// Gives the password, which the server has asked for.
    pub(crate) fn give_password(&mut self, password: impl Into<String>) {
        self.password = Some(password.into());
    }

    /// Refuses every way in that is not bound to the encryption beneath, if `must_bind`.
    pub(crate) fn bound(self, must_bind: bool) -> Self {
        Self { must_bind, ..self }
    }

    /// Refuses every method but these.
    pub(crate) fn by(self, methods: AuthMethods) -> Self {
        Self { methods, ..self }
    }

    /// Gives the token, which the server has asked for; `None` asks it who issues tokens.
    pub(crate) fn give_token(&mut self, token: Option<String>) {
        self.token = Some(token);
    }

    /// Why the server does not take the token.
    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }

    /// Takes the next Authentication message. After an error nothing more is taken, and nothing was appended.
    pub(crate) fn handle(
        &mut self,
        asked: &Authentication<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, AuthError> {
        let step = std::mem::replace(&mut self.step, Step::Over);
        self.step = match (step, asked) {
            (Step::Start, asked) if self.must_bind && !matches!(asked, Authentication::Sasl(_)) => {
                return Err(AuthError::Unbound);
            }
            (Step::Start, Authentication::Ok) => {
                self.check(AuthMethod::None)?;
                return Ok(Progress::Done);
            }
            (Step::Answered, Authentication::Ok) => return Ok(Progress::Done),
            (Step::Token, Authentication::Ok) if self.token.as_ref().is_some_and(Option::is_some) => {
                return Ok(Progress::Done);
            }
            (Step::Start, Authentication::CleartextPassword) => {
                self.check(AuthMethod::Password)?;
                let Some(password) = &self.password else { return Ok(self.needs(Need::Password)) };
                frontend::password(out, password)?;
                Step::Answered
            }
            (Step::Start, Authentication::Md5Password { salt }) => {
                self.check(AuthMethod::Md5)?;
                let Some(password) = &self.password else { return Ok(self.needs(Need::Password)) };
                frontend::password(out, md5::answer(&self.user, password, *salt))?;
                Step::Answered
            }
            (Step::Start, Authentication::Sasl(offered)) => match self.mechanism(*offered)? {
                Mechanism::Scram(mechanism, binding) => {
                    self.check(AuthMethod::ScramSha256)?;
                    let Some(password) = &self.password else { return Ok(self.needs(Need::Password)) };
                    let scram = Scram::new("", password, self.nonce.clone(), binding);
                    frontend::sasl_initial_response(out, mechanism, Some(scram.first().as_bytes()))?;
                    Step::Scram(scram)
                }
                Mechanism::Bearer => {
                    self.check(AuthMethod::Oauth)?;
                    let Some(token) = &self.token else { return Ok(self.needs(Need::Token)) };
                    let first = bearer::first(token.as_deref())?;
                    frontend::sasl_initial_response(out, BEARER, Some(first.as_bytes()))?;
                    Step::Token
                }
            },
            (Step::Token, Authentication::SaslContinue(why)) => {
                self.refusal = Some(Refusal::parse(why));
                frontend::sasl_response(out, bearer::ACKNOWLEDGED)?;
                // An error comes next, or the server is none.
                Step::Over
            }
            (Step::Scram(scram), Authentication::SaslContinue(first)) => {
                let (answer, expected) = scram.answer(first)?;
                frontend::sasl_response(out, answer.as_bytes())?;
                Step::Proof(expected)
            }
            (Step::Proof(expected), Authentication::SaslFinal(last)) => {
                expected.verify(last)?;
                Step::Answered
            }
            (Step::Start, other) => return Err(unsupported(other)),
            (_, other) => return Err(AuthError::Unexpected(name(other))),
        };
        Ok(Progress::Going)
    }

    /// The message stays to be answered.
    fn needs(&mut self, need: Need) -> Progress {
        self.step = Step::Start;
        Progress::Needs(need)
    }

    fn check(&self, method: AuthMethod) -> Result<(), AuthError> {
        if self.methods.allow(method) { Ok(()) } else { Err(AuthError::Forbidden(method.name())) }
    }

    /// The mechanism that is used of those that are offered.
    fn mechanism(&self, offered: Texts<'_>) -> Result<Mechanism, AuthError> {
        let offers = |mechanism: &str| offered.iter().any(|o| o == *mechanism);
        match &self.binding {
            ChannelBinding::EndPoint(_) if offers(SCRAM_PLUS) => {
                Ok(Mechanism::Scram(SCRAM_PLUS, self.binding.clone()))
            }
            _ if self.must_bind => Err(AuthError::Unbound),
            ChannelBinding::EndPoint(_) if offers(SCRAM) => {
                Ok(Mechanism::Scram(SCRAM, ChannelBinding::NotOffered))
            }
            _ if offers(SCRAM) => Ok(Mechanism::Scram(SCRAM, self.binding.clone())),
            _ if offers(BEARER) => Ok(Mechanism::Bearer),
            _ => Err(AuthError::no_mechanism(&list(offered))),
        }
    }
}

/// A SASL mechanism.
enum Mechanism {
    /// SCRAM by this name, bound like this.
    Scram(&'static str, ChannelBinding),
    Bearer,
}

/// The mechanisms that a server offers, a few of them: more would not be shown.
fn list(offered: Texts<'_>) -> String {
    offered.iter().take(8).map(|mechanism| mechanism.to_string()).collect::<Vec<_>>().join(", ")
}

fn unsupported(asked: &Authentication<'_>) -> AuthError {
    match asked {
        Authentication::SaslContinue(_) | Authentication::SaslFinal(_) | Authentication::GssContinue(_) => {
            AuthError::Unexpected(name(asked))
        }
        other => AuthError::Unsupported(name(other)),
    }
}

fn name(asked: &Authentication<'_>) -> &'static str {
    match asked {
        Authentication::Ok => "AuthenticationOk",
        Authentication::KerberosV5 => "Kerberos",
        Authentication::CleartextPassword => "a request for a password",
        Authentication::Md5Password { .. } => "a request for an MD5 digest",
        Authentication::ScmCredential => "SCM",
        Authentication::Gss => "GSSAPI",
        Authentication::GssContinue(_) => "GSSAPI data",
        Authentication::Sspi => "SSPI",
        Authentication::Sasl(_) => "a list of SASL mechanisms",
        Authentication::SaslContinue(_) => "SASL data",
        Authentication::SaslFinal(_) => "the end of SASL",
        _ => "an unknown",
    }
}

/// The password and what is made of it are left out.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = match self.step {
            Step::Start => "start",
            Step::Answered => "answered",
            Step::Scram(_) => "scram",
            Step::Proof(_) => "proof",
            Step::Token => "token",
            Step::Over => "over",
        };
        f.debug_struct("Login").field("user", &self.user).field("step", &step).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use wreath_codecs::frame::HEADER;
    use wreath_codecs::frame::backend::{self, Message};

    use super::*;

    const NONCE: &str = "rOprNGfwEbeRWgbNEkqO";

    fn login(password: Option<&str>, binding: ChannelBinding) -> Login {
        let mut login = Login::new("dolly", NONCE.to_owned(), binding);
        if let Some(password) = password {
            login.give_password(password);
        }
        login
    }

    fn offer(login: &mut Login, mechanisms: &[&str]) -> Result<String, AuthError> {
        let (mut frame, mut out) = (BytesMut::new(), BytesMut::new());
        backend::authentication_sasl(&mut frame, mechanisms).expect("can be sent");
        let Ok(Message::Authentication(asked)) = Message::decode(b'R', &frame[HEADER..]) else { panic!() };
        let answer = login.handle(&asked, &mut out);
        assert!(answer.is_ok() || out.is_empty());
        answer.map(|_| String::from_utf8(out.to_vec()).expect("text"))
    }

    fn ask(login: &mut Login, asked: Authentication<'_>) -> Result<Vec<u8>, AuthError> {
        let mut out = BytesMut::new();
        let answer = login.handle(&asked, &mut out);
        assert!(answer.is_ok() || out.is_empty());
        let done = answer? == Progress::Done;
        assert_eq!(done, asked == Authentication::Ok);
        Ok(out.to_vec())
    }

    #[test]
    fn trust_needs_no_password() {
        let mut trusted = login(None, ChannelBinding::Unsupported);
        assert_eq!(ask(&mut trusted, Authentication::Ok), Ok(vec![]));
        assert_eq!(
            ask(&mut trusted, Authentication::CleartextPassword),
            Err(AuthError::Unexpected("a request for a password"))
        );
    }

    #[test]
    fn passwords_and_digests() {
        let mut cleartext = login(Some("sesame"), ChannelBinding::Unsupported);
        assert_eq!(
            ask(&mut cleartext, Authentication::CleartextPassword),
            Ok(b"p\0\0\0\x0bsesame\0".to_vec())
        );
        assert_eq!(ask(&mut cleartext, Authentication::Ok), Ok(vec![]));

        let mut digest = login(Some("sesame"), ChannelBinding::Unsupported);
        let salted = Authentication::Md5Password { salt: [1, 2, 3, 4] };
        let sent = ask(&mut digest, salted).expect("answers");
        assert_eq!(sent[HEADER..].last(), Some(&0));
        assert_eq!(sent[HEADER..sent.len() - 1], *md5::answer("dolly", "sesame", [1, 2, 3, 4]).as_bytes());
        assert_eq!(ask(&mut digest, Authentication::Ok), Ok(vec![]));
    }

    #[test]
    fn a_password_is_asked_for_when_it_is_needed() {
        let needed = |asked: &Authentication<'_>| {
            let (mut without, mut out) = (login(None, ChannelBinding::Unsupported), BytesMut::new());
            assert_eq!(without.handle(asked, &mut out), Ok(Progress::Needs(Need::Password)));
            assert!(out.is_empty());
            without.give_password("sesame");
            assert_eq!(without.handle(asked, &mut out), Ok(Progress::Going));
            assert!(!out.is_empty());
        };
        needed(&Authentication::CleartextPassword);
        needed(&Authentication::Md5Password { salt: [0; 4] });
        let mut frame = BytesMut::new();
        backend::authentication_sasl(&mut frame, [SCRAM]).expect("can be sent");
        let Ok(Message::Authentication(asked)) = Message::decode(b'R', &frame[HEADER..]) else { panic!() };
        needed(&asked);
    }

    #[test]
    fn the_best_mechanism_is_picked() {
        let bound = || ChannelBinding::EndPoint(vec![1]);
        for (binding, offered, mechanism, head) in [
            (ChannelBinding::Unsupported, &[SCRAM_PLUS, SCRAM][..], SCRAM, "n,,"),
            (ChannelBinding::Unsupported, &["X", SCRAM], SCRAM, "n,,"),
            (ChannelBinding::NotOffered, &[SCRAM], SCRAM, "y,,"),
            (bound(), &[SCRAM], SCRAM, "y,,"),
            (bound(), &[SCRAM, SCRAM_PLUS], SCRAM_PLUS, "p=tls-server-end-point,,"),
            (bound(), &[SCRAM_PLUS], SCRAM_PLUS, "p=tls-server-end-point,,"),
        ] {
            let sent = offer(&mut login(Some("pencil"), binding), offered).expect("answers");
            let rest =
                &sent[HEADER..].strip_prefix(mechanism).expect("the mechanism").get(5..).expect("data");
            assert!(rest.starts_with(head), "{rest}");
        }
        for offered in [&[SCRAM_PLUS][..], &["SCRAM-SHA-1", "EXTERNAL"], &[]] {
            let refused = offer(&mut login(Some("pencil"), ChannelBinding::Unsupported), offered);
            assert_eq!(refused, Err(AuthError::NoMechanism(offered.join(", "))));
        }
    }

    #[test]
    fn a_login_that_must_be_bound_takes_no_other_way() {
        let bound = |binding| login(Some("pencil"), binding).bound(true);
        let end_point = || ChannelBinding::EndPoint(vec![1]);
        assert!(offer(&mut bound(end_point()), &[SCRAM, SCRAM_PLUS]).is_ok());
        assert_eq!(offer(&mut bound(end_point()), &[SCRAM]), Err(AuthError::Unbound));
        for binding in [ChannelBinding::Unsupported, ChannelBinding::NotOffered] {
            assert_eq!(offer(&mut bound(binding), &[SCRAM, SCRAM_PLUS]), Err(AuthError::Unbound));
        }
        let salted = Authentication::Md5Password { salt: [0; 4] };
        for asked in [Authentication::Ok, Authentication::CleartextPassword, salted] {
            assert_eq!(ask(&mut bound(end_point()), asked), Err(AuthError::Unbound));
        }
    }

    /// A login up to the server's proof.
    fn scram_to_proof() -> Login {
        let mut login = login(Some("pencil"), ChannelBinding::Unsupported);
        offer(&mut login, &[SCRAM]).expect("answers");
        let first = b"r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=16";
        ask(&mut login, Authentication::SaslContinue(first)).expect("answers");
        login
    }

    #[test]
    fn a_server_that_skips_its_proof_is_refused() {
        let early = Err(AuthError::Unexpected("AuthenticationOk"));
        assert_eq!(ask(&mut scram_to_proof(), Authentication::Ok), early);
        let mut earlier = login(Some("pencil"), ChannelBinding::Unsupported);
        offer(&mut earlier, &[SCRAM]).expect("answers");
        assert_eq!(ask(&mut earlier, Authentication::Ok), early);
    }

    #[test]
    fn a_server_that_asks_again_gets_nothing() {
        for again in [
            Authentication::CleartextPassword,
            Authentication::Md5Password { salt: [0; 4] },
            Authentication::SaslContinue(b"r=rOprNGfwEbeRWgbNEkqOx,s=c2FsdA==,i=1"),
            Authentication::Gss,
        ] {
            assert!(matches!(ask(&mut scram_to_proof(), again), Err(AuthError::Unexpected(_))));
            let mut answered = login(Some("pencil"), ChannelBinding::Unsupported);
            ask(&mut answered, Authentication::CleartextPassword).expect("answers");
            assert!(matches!(ask(&mut answered, again), Err(AuthError::Unexpected(_))));
        }
    }

    #[test]
    fn a_wrong_proof_ends_the_login() {
        let mut login = scram_to_proof();
        let wrong = Authentication::SaslFinal(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
        assert_eq!(ask(&mut login, wrong), Err(AuthError::Impostor));
        assert!(matches!(ask(&mut login, Authentication::Ok), Err(AuthError::Unexpected(_))));
    }

    #[test]
    fn a_token_that_is_taken_and_one_that_is_not() {
        let bearer = |token: Option<&str>| {
            let mut login = login(None, ChannelBinding::Unsupported);
            login.give_token(token.map(str::to_owned));
            let sent = offer(&mut login, &["OAUTHBEARER"]).expect("answers");
            assert!(sent.ends_with("\x01\x01") && sent.contains("OAUTHBEARER\0"), "{sent:?}");
            login
        };
        assert_eq!(ask(&mut bearer(Some("token")), Authentication::Ok), Ok(vec![]));
        let mut refused = bearer(Some("token"));
        let why = Authentication::SaslContinue(br#"{"status":"invalid_token"}"#);
        assert_eq!(ask(&mut refused, why), Ok(b"p\0\0\0\x05\x01".to_vec()));
        assert_eq!(refused.refusal().and_then(|r| r.status.as_deref()), Some("invalid_token"));
        let early = Err(AuthError::Unexpected("AuthenticationOk"));
        assert_eq!(ask(&mut refused, Authentication::Ok), early);
        // Who has none is let in by nobody.
        assert_eq!(ask(&mut bearer(None), Authentication::Ok), early);
    }

    #[test]
    fn methods_that_are_not_allowed() {
        use AuthMethod as M;

        let salted = Authentication::Md5Password { salt: [0; 4] };
        for (asked, method) in [
            (Authentication::Ok, M::None),
            (Authentication::CleartextPassword, M::Password),
            (salted, M::Md5),
        ] {
            let by = |methods| login(Some("sesame"), ChannelBinding::Unsupported).by(methods);
            let forbidden = Err(AuthError::Forbidden(method.name()));
            assert!(ask(&mut by(AuthMethods::only([method])), asked).is_ok());
            assert_eq!(ask(&mut by(AuthMethods::except([method])), asked), forbidden);
            assert_eq!(ask(&mut by(AuthMethods::only([M::ScramSha256])), asked), forbidden);
            assert!(ask(&mut by(AuthMethods::except([M::ScramSha256])), asked).is_ok());
        }
        let mut scram = login(Some("sesame"), ChannelBinding::Unsupported).by(AuthMethods::only([M::Md5]));
        assert_eq!(offer(&mut scram, &[SCRAM]), Err(AuthError::Forbidden("scram-sha-256")));
        let mut token =
            login(Some("sesame"), ChannelBinding::Unsupported).by(AuthMethods::except([M::Oauth]));
        assert_eq!(offer(&mut token, &["OAUTHBEARER"]), Err(AuthError::Forbidden("oauth")));
    }

    #[test]
    fn other_methods_are_named() {
        for (asked, method) in [
            (Authentication::Gss, "GSSAPI"),
            (Authentication::Sspi, "SSPI"),
            (Authentication::KerberosV5, "Kerberos"),
            (Authentication::ScmCredential, "SCM"),
        ] {
            let refused = ask(&mut login(Some("pencil"), ChannelBinding::Unsupported), asked);
            assert_eq!(refused, Err(AuthError::Unsupported(method)));
        }
        let refused = ask(&mut login(None, ChannelBinding::Unsupported), Authentication::SaslFinal(b""));
        assert_eq!(refused, Err(AuthError::Unexpected("the end of SASL")));
    }

    #[test]
    fn secrets_are_not_shown() {
        let shown = format!("{:?}", login(Some("sesame"), ChannelBinding::Unsupported));
        assert!(!shown.contains("sesame") && !shown.contains(NONCE), "{shown}");
    }
}
