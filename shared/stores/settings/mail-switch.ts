import { Type } from 'typebox'

/** A setting that switches a kind of mail off. `when` completes the description "Sent when …". */
export const MailSwitch = (when: string) =>
  Type.Optional(Type.Boolean({ description: `Sent when ${when}. Default: true` }))
