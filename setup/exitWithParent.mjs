// Ends this process, in order, when the one that started it is gone: `kill -9` of npm would otherwise leave a server behind.
const parent = process.ppid
const timer = setInterval(() => {
  if (process.ppid === parent) return
  // Once: a second signal would cut the end short.
  clearInterval(timer)
  process.kill(process.pid, 'SIGTERM')
}, 500).unref()
