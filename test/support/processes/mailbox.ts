import { after } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { type Mail, type Mailbox, startMailbox } from '#test/sandbox/mailbox.ts'
import { RUNS_TWICE } from '#test/support/runner/jobs-twice.ts'
import { closeMailGateway } from '#workers/gateways/mail.ts'

const server = await startMailbox()

/** The mails with each Message-ID once, as a mail program shows them: a mail of a job that ran twice is sent twice. */
const mails = (to?: string): Mail[] => {
  const ids = new Set<string>()
  return server.mails(to).filter(({ message_id }) => !ids.has(message_id) && ids.add(message_id))
}

// Importing this file gives the test file a mail server of its own.
export const mailbox: Mailbox = RUNS_TWICE ? { ...server, mails } : server
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
