import { after } from 'node:test'
import './database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { type Mail, type Mailbox, startMailbox } from '#test/sandbox/mailbox.ts'
import { closeMailGateway } from '#workers/gateways/mail.ts'

// Importing this file gives the test file a mail server of its own.
export const mailbox: Mailbox = await startMailbox()
process.env.SMTP_URL = mailbox.smtpUrl
resetConfig()
after(async () => {
  closeMailGateway()
  await mailbox.stop()
})

/** The token in a mail's link. */
export function tokenIn({ text }: Mail): string {
  const [, token] = /#token=([\w-]+)/.exec(text) ?? []
  if (!token) throw new Error(`There is no token in: ${text}`)
  return token
}
