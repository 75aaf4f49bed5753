/** Removes sockets that are left in a directory, and prints what it came to. */
import { removeLeftSockets } from '../../../src/network/left-sockets.ts'
import { errorCode } from '../../../src/sandbox/error-code.ts'

try {
  await removeLeftSockets(process.argv[2] ?? '')
  console.log('removed')
} catch (error) {
  console.log(errorCode(error))
}
