// Unpacks Chromium into TMPDIR. Its shared libraries are unpacked only if AWS_EXECUTION_ENV names AWS Lambda.
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
