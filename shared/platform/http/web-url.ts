import { Type } from 'typebox'

// A URL (RFC 3986 or international) with a host. Forbidden are characters that end an attribute of a page (quotes,
// angle brackets, blanks, controls) or need percent-encoding, and user names, which hide the real host.
const FORBIDDEN = '\\s\\p{C}"\'<>`\\\\^{|}'
const HOST = `[^${FORBIDDEN}/?#@:\\[\\]]+|\\[[0-9a-fA-F:.]+\\]`
const AFTER_SCHEME = `(${HOST})(:\\d{1,5})?([/?#][^${FORBIDDEN}]*)?`

/** The pattern of a URL over https that is safe in an attribute of a page, without anchors. */
export const HTTPS_URL = `https://${AFTER_SCHEME}`
/** The pattern of a URL over http or https that is safe in an attribute of a page. */
export const WEB_URL = `^https?://${AFTER_SCHEME}$`
const IS_WEB_URL = new RegExp(WEB_URL, 'iu')

/** Whether a text is a URL over http or https that is safe in an attribute of a page. */
export const isWebUrl = (text: string): boolean => IS_WEB_URL.test(text) && URL.canParse(text)

/** The most characters of a URL. */
export const MAX_URL_LENGTH = 2_000

/** A URL over http or https, such as that of an image. */
export const WebUrl = Type.String({ pattern: WEB_URL, maxLength: MAX_URL_LENGTH })

/** A URL over https. */
export const HttpsUrl = Type.String({ pattern: `^${HTTPS_URL}$`, maxLength: MAX_URL_LENGTH })
