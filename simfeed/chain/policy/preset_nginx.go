package policy

// NGINX's proxy_next_upstream: the next server at once, each tried once, so a
// single server is never retried. Set servers to the size of the group and
// attempts to proxy_next_upstream_tries. Source: NGINX documentation,
// ngx_http_proxy_module.
var nginxDefault = Preset{
	Name: "nginx", System: "NGINX", Word: "tries",
	Source: "NGINX documentation: ngx_http_proxy_module",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts, p.Servers = "nginx", MaxAttempts, 1
		p.RetryOn, p.SafeOnly = Set(Connect, Timeout), true
		return p
	},
}
