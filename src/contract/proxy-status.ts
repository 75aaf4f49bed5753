/** The header (RFC 9209) by which the egress proxy says that an answer is its own refusal. */
export const PROXY_STATUS = 'proxy-status'
/** What the proxy calls itself in {@link PROXY_STATUS}; `; error=REASON` follows. */
export const PROXY_STATUS_NAME = 'strands-shell-runtime'
