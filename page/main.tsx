import { render } from 'preact'
import { takeToken } from './service/token.ts'
import { followAddress } from './state/route.ts'
import { App } from './views/app.tsx'
import './style.css'

const token = takeToken()
followAddress()
const page = document.getElementById('page')
if (page === null) throw new Error('index.html has no element with the id page.')
render(<App token={token} />, page)
