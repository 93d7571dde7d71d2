//! Networks of `ipnet`.
//!
//! An `IpNet` stands for a `cidr`. Addresses with bits behind the network's are none, and are refused when they are
//! sent; [`Inet`](crate::types::Inet) holds them.

use ipnet::IpNet;

use super::through::through;
use crate::error::RangeError;
use crate::types::Cidr;
use crate::types::builtin::builtin;

builtin! { IpNet, 650, 651; }

through! { IpNet => Cidr; }

impl TryFrom<&IpNet> for Cidr {
    type Error = RangeError;

    fn try_from(net: &IpNet) -> Result<Self, RangeError> {
        Self::new(net.addr(), net.prefix_len())
    }
}

impl From<Cidr> for IpNet {
    fn from(cidr: Cidr) -> Self {
        Self::new(cidr.address(), cidr.prefix()).expect("a network's prefix fits its address")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oid;
    use crate::types::interop::through::refused;

    #[test]
    fn networks_come_back_and_hosts_are_refused() {
        assert!(refused::<IpNet>(oid::CIDR).is_empty());
        let host: IpNet = "10.0.0.1/8".parse().expect("parses");
        assert!(Cidr::try_from(&host).is_err());
    }
}
