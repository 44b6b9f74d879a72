import { createTransport } from 'nodemailer'
import { config } from '#shared/platform/config/config.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'

/** Why a mail server will never take a mail: a repeat would get the same answer. */
export class MailRefusal extends Error {}

/** A mail to hand over. `id` becomes its Message-ID, by which mail programs know a repeat. */
export interface OutgoingMail {
  id: string
  to: string
  /** Shown beside the sender's address. */
  sender: string
  replyTo: string
  language: string
  subject: string
  text: string
  html: string
}

/** Hands mails to a mail server. A refusal for good throws `MailRefusal`; whatever may pass throws another error. */
export interface MailGateway {
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>
  close(): void
}

const TIMEOUT_MS = 30 * SECOND_MS
const CONNECTIONS = 5

let opened: MailGateway | undefined

/** The process's mail gateway. Throws when the environment names no mail server. */
export function mailGateway(): MailGateway {
  opened ??= createMailGateway()
  return opened
}

/** Lets go of the mail server's connections, at the end of a process or of a test file. */
export function closeMailGateway(): void {
  opened?.close()
  opened = undefined
}

/** A pool of connections to the server of SMTP_URL. */
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
    // What a mail says comes from strangers: it must never make this process read a file or an address.
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
        // Keeps holiday notices from being sent in return (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
      }
      // The pool's own limits are for silence; a server that keeps talking must come to an end, too.
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      await transport.sendMail({ ...message, signal: inTime }).catch((error) => {
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

// 5yz means never (RFC 5321, section 4.2.1), but only for what is about this mail: its recipient and its content. A
// sign-in or a sender that the server does not take is the operator's to mend, and then the mail can go.
const isRefusal = (error: SmtpFailure): boolean =>
  Number(error.responseCode) >= 500 && ['RCPT TO', 'DATA'].includes(error.command ?? '')
