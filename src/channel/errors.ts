/** The far side broke the protocol, or a message cannot cross. */
export class ProtocolBreach extends Error {
  override readonly name = 'ProtocolBreach'
}

/** The far side went away. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed'
}
