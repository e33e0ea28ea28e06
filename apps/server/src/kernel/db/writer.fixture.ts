// A minimal server for tests to kill. Prints each number once its row is committed.
import { createLog } from '../log.ts'
import { startDatabase } from './database.ts'
import { connect } from './pool.ts'

const [dataDir = ''] = process.argv.slice(2)
const onLost = (reason: Error) => {
  throw reason
}
const database = await startDatabase({ dataDir, log: createLog('silent'), onLost })
const sql = connect(database.url)
await sql`create table if not exists written (number bigint primary key)`
for (let number = 1; ; number++) {
  await sql`insert into written values (${number})`
  console.log(number)
}
