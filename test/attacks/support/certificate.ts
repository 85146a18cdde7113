/** Key without a secret, and a certificate for `localhost`, for clients that do not verify. Valid for a century. */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgB9vk/zuRZsc5cx3Q
L235LO3ZPPaaLcpjMVEphvaKLNmhRANCAAQHqdYm5wcZsK2fNWmU45z7tnF+WTFP
yBbhCMCjquaEJw02tbAtqkq/vK7AfI/6TIsbZNyKIUA8dC/ffjnutj66
-----END PRIVATE KEY-----
`
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUU8o+huBftM0sp7Gmdh224zMDlnIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjIwMDMyMFoYDzIxMjYxMDIz
MjAwMzIwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQHqdYm5wcZsK2fNWmU45z7tnF+WTFPyBbhCMCjquaEJw02tbAtqkq/
vK7AfI/6TIsbZNyKIUA8dC/ffjnutj66o1MwUTAdBgNVHQ4EFgQUm8ILJJmz+OJP
gqthV+eW+Bp/K6swHwYDVR0jBBgwFoAUm8ILJJmz+OJPgqthV+eW+Bp/K6swDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAKM6z9gfbRCePDgFFmv8hc
zbf643uvFihzMYF69DInvAIgePOkcn5HxFzlZO84hlRr30Jhj8ZkkB+aXir66dCd
EeE=
-----END CERTIFICATE-----
`
