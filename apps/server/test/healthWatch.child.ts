// A thread that sends health checks, since what else its process does would delay them. Reports the CPU time in ms that
// the server's thread of requests spent at most before it answered one, which does not depend on what else the machine
// does, and its peak of memory in bytes.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { url, pid } = workerData as { url: string; pid: number }
let isOver = false
parentPort!.once('message', () => {
  isOver = true
})

function cpuTime(): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const check = () =>
  new Promise<number | undefined>((resolve, reject) => {
    get(`${url}/healthz`, { agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    }).once('error', reject)
  })

let most = 0
do {
  const before = cpuTime()
  const status = await check()
  if (status !== 200) throw new Error(`/healthz answered ${status}.`)
  most = Math.max(most, cpuTime() - before)
} while (!isOver)
const peak = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
parentPort!.postMessage({ delay: most, peak: Number(peak) * 1024 })
