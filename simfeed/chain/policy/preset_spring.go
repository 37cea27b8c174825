package policy

// Spring Cloud Gateway's Retry filter: 3 retries of 5xx answers to GET, without
// back-off. Source: Spring Cloud Gateway reference, Retry filter.
var springGateway = Preset{
	Name: "spring-cloud-gateway", System: "Spring Cloud Gateway", Word: "retries", Extra: true,
	Source: "Spring Cloud Gateway reference: Retry GatewayFilter factory",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts, p.SafeOnly = "spring-cloud-gateway", 4, true
		p.RetryOn = Set(Error, Overload, Timeout, Connect)
		return p
	},
}
