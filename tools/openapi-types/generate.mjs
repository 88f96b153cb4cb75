// Reads an OpenAPI document from stdin, writes its types to stdout.
import { text } from 'node:stream/consumers'
import openapiTS, { astToString } from 'openapi-typescript'

const document = JSON.parse(await text(process.stdin))
process.stdout.write(astToString(await openapiTS(document, { alphabetize: false, defaultNonNullable: false })))
