import { createTransport } from 'nodemailer'
import type { ComposedMail } from '#shared/mail/compose-mail.ts'
import { sendMail, sendPlatformMail } from '#shared/mail/jobs.ts'
import { config } from '#shared/platform/config/config.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'

/** Thrown if a mail server permanently rejected a mail: a repeat would get the same response. */
export class MailRefusal extends Error {}

/** Sends mails through a mail server. A permanent rejection throws `MailRefusal`, a temporary failure another error. */
export interface MailGateway {
  send(mail: ComposedMail, signal: AbortSignal): Promise<void>
  close(): void
}

const TIMEOUT_MS = 30 * SECOND_MS
// Each running job has a connection of its own. Otherwise the mails of one store, to recipients for whom the server
// answers slowly, would hold all connections, and the mails of other stores would wait until their deadline.
const CONNECTIONS = sendMail.rules.concurrency + sendPlatformMail.rules.concurrency

let opened: MailGateway | undefined

/** Returns the mail gateway of the process. Throws if no mail server is configured. */
export function mailGateway(): MailGateway {
  opened ??= createMailGateway()
  return opened
}

/** Closes the connections at the end of a process or of a test file. */
export function closeMailGateway(): void {
  opened?.close()
  opened = undefined
}

/** Creates a pool of connections to the server of SMTP_URL. */
function createMailGateway(): MailGateway {
  const { SMTP_URL: url, MAIL_FROM: address } = config()
  if (!url || !address) throw new Error('No mail can be sent: set SMTP_URL and MAIL_FROM. See README.md.')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    dnsTimeout: TIMEOUT_MS / 3,
    connectionTimeout: TIMEOUT_MS / 3,
    greetingTimeout: TIMEOUT_MS / 3,
    socketTimeout: TIMEOUT_MS / 2,
    // A mail contains text that callers sent. It must never make this process read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = address.slice(address.lastIndexOf('@') + 1)
  return {
    async send({ id, sender, language, ...mail }, signal) {
      const message = {
        ...mail,
        from: { name: sender, address },
        messageId: `<${id}@${host}>`,
        // Prevents automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
      }
      // The time-outs of the pool only cover silence. This one also covers a server that keeps sending.
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      await transport.sendMail({ ...message, signal: deadline }).catch((error) => {
        throw isRefusal(error) ? new MailRefusal(error.message) : error
      })
    },
    close: () => transport.close(),
  }
}

interface SmtpFailure {
  responseCode?: number
  command?: string
}

// 5yz is permanent (RFC 5321, section 4.2.1). It counts only for the recipient and content of this mail: the operator
// can fix a rejected sign-in or sender, and then the mail can be sent.
const isRefusal = (error: SmtpFailure): boolean =>
  Number(error.responseCode) >= 500 && ['RCPT TO', 'DATA'].includes(error.command ?? '')
