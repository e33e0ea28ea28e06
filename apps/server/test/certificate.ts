// Used by tests only, valid until 2120.
/** Private key of `certificate`. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv+kmfoygo77zFrmK
w0VDO2Pko+A+loEqNyVXaM59pA+hRANCAAQPZ2fDx/2tkG0PxIwYCKopAdY7ZtoX
5zkCaXiFjdLeVytpCpbJjCdkTFp9f6U6H2Miv84x59UnlxGUDHp8hnYN
-----END PRIVATE KEY-----
`

/** A self-signed certificate for pay.example. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtwYXkuZXhh
bXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLcGF5LmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQPZ2fDx/2t
kG0PxIwYCKopAdY7ZtoX5zkCaXiFjdLeVytpCpbJjCdkTFp9f6U6H2Miv84x59Un
lxGUDHp8hnYNo0owSDAWBgNVHREEDzANggtwYXkuZXhhbXBsZTAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBQQeiuERlDEfGS+m9Z6yz88vfBhlzAKBggqhkjOPQQD
AgNJADBGAiEA/Gj5FDxtogH8deqgTc/BXqmUawwUnsLJ9cmTfrUhnIICIQCbordV
DbgsJ666yfN1Mj4mhvYXikV1iEabcyqy6kTsvg==
-----END CERTIFICATE-----
`
