// By its name, so that the bundle holds no more of the file.
import { version } from '../../package.json'

/** The version of the package, which every document and handshake names. */
export const VERSION = version
