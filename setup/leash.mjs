// Ends this process, in order, when the one that started it is gone: `kill -9` of npm would otherwise leave a server behind.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
}, 500).unref()
